import Foundation
import Support

/// Digests of what a store says of a run, and of the report that it keeps of it: a change of either
/// shows.
package struct RunSeal: Hashable {
  /// The digest of the report.
  package let report: String
  /// The digest of the row of `_run`.
  package let run: String

  /// The columns of `_run`, in the order in which they are sealed.
  package static let columns = [
    "id", "mapping", "model_digest", "options", "fingerprint", "first_archive", "last_archive",
  ]

  /// Seals a report and a run.
  ///
  /// - Parameters:
  ///   - report: The text of the report.
  ///   - row: The row of `_run`, with the values of `columns`.
  package init(report: String, run row: [StoredValue]) {
    self.report = Self.digest(report)
    run = Self.digest(row.map(Self.text).joined(separator: "\n"))
  }

  /// A value, so that different ones have different texts.
  private static func text(_ value: StoredValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let integer): "integer \(integer)"
    case .real(let real): "real \(real)"
    case .text(let text): "text \(text.utf8.count) \(text)"
    case .blob(let data): "blob \(data.base64EncodedString())"
    }
  }

  private static func digest(_ text: String) -> String {
    var digest = MessageDigest.sha256()
    digest.update(text)
    return digest.finish().hexadecimal
  }
}
