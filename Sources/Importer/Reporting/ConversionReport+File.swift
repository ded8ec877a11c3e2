import Foundation

extension ConversionReport {
  /// Reads a report that was written as JSON; nil if the file does not begin as JSON does.
  ///
  /// - Parameter path: The path of a file.
  /// - Throws: `StoreError` if it is JSON, but no report.
  package init?(jsonFile path: String) throws(StoreError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe),
      data.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{")
    else { return nil }
    do {
      self = try JSONDecoder().decode(ConversionReport.self, from: data)
    } catch {
      throw StoreError(
        .unreadable, path: path, reason: "it is no report, or damaged, or of a later version")
    }
  }
}
