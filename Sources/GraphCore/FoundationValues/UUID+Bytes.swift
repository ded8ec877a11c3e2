import Foundation

extension UUID {
  /// The sixteen bytes, in the order in which they are written.
  package var bytes: [UInt8] { unsafe withUnsafeBytes(of: uuid) { unsafe Array($0) } }
}
