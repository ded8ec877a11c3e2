import ArchiveReader
import Foundation

extension ConversionReport {
  /// Reads a report that was written as JSON; nil if the file does not begin as JSON does.
  ///
  /// - Parameter path: The path of a file.
  /// - Throws: `StoreError` if it is JSON, but no report.
  package init?(jsonFile path: String) throws(StoreError) {
    // Problems with the file are reported by the code that opens it as a store.
    guard let file = try? ByteStorage(contentsOf: path),
      unsafe file.bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) })
        == UInt8(ascii: "{")
    else { return nil }
    let data = withExtendedLifetime(file) { unsafe Data(file.bytes) }
    do {
      self = try JSONDecoder().decode(ConversionReport.self, from: data)
    } catch {
      throw StoreError(
        .unreadable, path: path, reason: "not a report, or damaged, or from a later version")
    }
  }
}
