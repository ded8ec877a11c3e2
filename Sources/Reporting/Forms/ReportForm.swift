import Foundation
import Support

/// The printed forms of a report.
public enum ReportForm: String, Sendable, CaseIterable {
  /// One JSON object, for programs.
  case json
  /// Plain text, as the command line prints it with all details.
  case text
  /// Markdown, to be pasted into an issue or a wiki.
  case markdown
  /// A page that needs nothing but a browser.
  case html

  /// The endings of files in this form, in small letters, the usual one first.
  public var endings: [String] {
    switch self {
    case .json: ["json"]
    case .text: ["txt"]
    case .markdown: ["md"]
    case .html: ["html", "htm"]
    }
  }

  /// The endings of all forms.
  package static var allEndings: [String] { allCases.flatMap(\.endings) }

  /// The form that the ending of a file asks for; nil if there is none of that ending.
  ///
  /// - Parameter path: The path of the file.
  public init?(path: String) {
    let ending = (path as NSString).pathExtension.lowercased()
    guard let form = Self.allCases.first(where: { $0.endings.contains(ending) }) else { return nil }
    self = form
  }
}

extension ConversionReport {
  /// The report in one of its forms.
  ///
  /// - Parameter form: The form.
  /// - Returns: A whole document, its last line ended.
  /// - Throws: `EncodingError` if JSON has no form for a part of it.
  public func text(as form: ReportForm) throws -> String {
    switch form {
    case .json: try ReportJSON.text(of: self, .indented) + "\n"
    case .text: ReportText(self, isVerbose: true).text()
    case .markdown: ReportMarkdown(self).text()
    case .html: ReportPage(self).text()
    }
  }
}
