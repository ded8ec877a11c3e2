import Foundation
import Support

/// Writes a report in JSON, its keys in order, as `JSONEncoder` does.
///
/// There may be thousands of archives, and most have nothing to tell but their facts: the entries of
/// these are put together here, in a small part of the time and the memory that an encoder takes.
struct ReportJSON {
  /// The layout of the text.
  enum Style {
    /// Without white space, as a store keeps it.
    case compact
    /// Indented, and harmless to a terminal, as users read it.
    case indented
  }

  private let style: Style
  private var text = ""

  /// The usual size of an entry, in bytes.
  private static let usualSize = 256

  /// Writes a report.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - style: The layout of the text.
  /// - Returns: The text, without a line end.
  /// - Throws: `EncodingError` if JSON has no form for a part of it.
  static func text(of report: ConversionReport, _ style: Style) throws -> String {
    var writer = ReportJSON(style: style)
    let archives = report.codedArchives
    guard !archives.isEmpty else { return try writer.encoded(report) }
    var others = report
    others.knownVerdict = ReportVerdict(report)
    others.archives = []
    // The numbers stay.
    others.skipped.forgetList()
    let frame = try writer.encoded(others)
    // The list comes first: the keys are in order.
    guard let list = frame.firstRange(of: writer.emptyList) else {
      return try writer.encoded(report)
    }
    writer.text.reserveCapacity(frame.utf8.count + archives.count * Self.usualSize)
    writer.text += frame[..<list.lowerBound]
    try writer.append(archives)
    writer.text += frame[list.upperBound...]
    return writer.text
  }

  private init(style: Style) { self.style = style }

  /// An empty list as an encoder writes it.
  private var emptyList: String { style == .compact ? "[]" : "[\n\n  ]" }

  private func encoded(_ value: some Encodable) throws -> String {
    switch style {
    case .compact: String(decoding: try JSONDocument.lineEncoder.encode(value), as: UTF8.self)
    case .indented: String(try JSONDocument.text(of: value).dropLast())
    }
  }

  private mutating func append(_ archives: [ConversionReport.Archive]) throws {
    text += "["
    for (index, archive) in archives.enumerated() {
      if index > 0 { text += "," }
      if style == .indented { text += "\n    " }
      if !appendUsual(archive) { try append(archive) }
    }
    text += style == .compact ? "]" : "\n  ]"
  }

  /// Appends any entry.
  private mutating func append(_ archive: ConversionReport.Archive) throws {
    let entry = try encoded(archive)
    // Texts have no line ends of their own: they are escaped.
    text += style == .compact ? entry : entry.replacing("\n", with: "\n    ")
  }

  /// Appends an entry that has nothing but facts, and no text that JSON escapes; returns false, and
  /// appends nothing, for any other.
  private mutating func appendUsual(_ archive: ConversionReport.Archive) -> Bool {
    guard archive.outcome == .converted, let bytes = archive.bytes, let format = archive.format,
      let objects = archive.objects, let sha256 = archive.sha256,
      archive.details == ConversionReport.Archive.Details(), isPlain(format), isPlain(archive.path),
      isPlain(sha256)
    else { return false }
    text += "{"
    append("bytes", bytes, isFirst: true)
    append("format", quoted: format)
    append("objects", objects)
    append("outcome", quoted: archive.outcome.rawValue)
    append("path", quoted: archive.path)
    append("sha256", quoted: sha256)
    text += style == .compact ? "}" : "\n    }"
    return true
  }

  private mutating func append(_ key: String, _ number: Int, isFirst: Bool = false) {
    append(key, isFirst: isFirst)
    text += String(number)
  }

  private mutating func append(_ key: String, quoted value: String) {
    append(key, isFirst: false)
    text += "\""
    text += value
    text += "\""
  }

  private mutating func append(_ key: String, isFirst: Bool) {
    if !isFirst { text += "," }
    if style == .indented { text += "\n      " }
    text += "\""
    text += key
    text += style == .compact ? "\":" : "\" : "
  }

  /// True if a text stands in JSON as it is.
  private func isPlain(_ text: String) -> Bool {
    let isHarmless = style == .compact
    return text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        && (isHarmless || !JSONDocument.mayCommand($0))
    }
  }
}
