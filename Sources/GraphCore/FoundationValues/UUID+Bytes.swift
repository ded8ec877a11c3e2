import Foundation

extension UUID {
  /// The UUID that sixteen bytes are; nil for any other number of bytes.
  package init?(_ bytes: BorrowedBytes) {
    guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
    self.init(uuid: unsafe bytes.buffer.loadUnaligned(as: uuid_t.self))
  }

  /// The sixteen bytes, in the order in which they are written.
  package var bytes: [UInt8] { unsafe withUnsafeBytes(of: uuid) { unsafe Array($0) } }
}
