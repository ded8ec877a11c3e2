// Values of one kind, for those who expect them: nil for all others.
import GraphCore

extension NodeTable {
  /// The real number of eight bytes that a node is.
  @inline(__always)
  func real(of node: Node) -> Double? {
    let offset = offset(of: node)
    guard offset >= 0, byte(at: offset) == 0x23 else { return nil }
    return Double(bitPattern: integer(at: offset + 1, size: 8))
  }

  /// The whole number of up to eight bytes that a node is.
  @inline(__always)
  func integer(of node: Node) -> Int64? {
    let offset = offset(of: node)
    guard offset >= 0 else { return nil }
    let marker = byte(at: offset)
    guard marker & 0xFC == 0x10 else { return nil }
    // One, two and four bytes are unsigned, eight are signed.
    return Int64(bitPattern: integer(at: offset + 1, size: 1 << Int(marker & 0xF)))
  }

  /// The truth that a node is.
  @inline(__always)
  func bool(of node: Node) -> Bool? {
    let offset = offset(of: node)
    guard offset >= 0 else { return nil }
    switch byte(at: offset) {
    case 0x08: return false
    case 0x09: return true
    default: return nil
    }
  }
}

extension NodeTable {
  /// The name that a node holds, or nil if it holds something else.
  package func name(at node: Node) -> String? { string(at: node).map(ArchivedName.text) }
}
