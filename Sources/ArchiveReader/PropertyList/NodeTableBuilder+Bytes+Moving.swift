extension NodeTable {
  /// The number of a node that moves; UIDs stay what they are.
  static func moved(_ node: UInt32, by distance: UInt32) -> UInt32 {
    node < firstUID ? node &+ distance : node
  }
}

extension NodeTable.Builder.Bytes {
  /// Adds a number to all that nodes refer to, where these have moved by as much.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of a table, as they were written.
  ///   - distance: How far they have moved.
  static func move(_ bytes: UnsafeMutableRawBufferPointer, by distance: UInt32) {
    var offset = 0
    while offset < bytes.count {
      let marker = unsafe bytes[offset]
      switch marker {
      case NodeTable.Marker.sharedKeys:
        // The keys stand before all that share them.
        let keys = unsafe reference(bytes, at: offset + 1)
        let count = unsafe payload(UnsafeRawBufferPointer(bytes), at: keys).count
        unsafe moveReferences(bytes, at: offset + 1, count: count + 1, by: distance)
        offset += 5 + 4 * count
      case NodeTable.Marker.nearText: offset += 6
      case NodeTable.Marker.farText: offset += 17
      default:
        switch marker >> 4 {
        case 0x0: offset += 1
        case 0x1: offset += 1 + 1 << Int(marker & 0xF)
        case 0x8: offset += 2 + Int(marker & 0xF)
        case 0x4, 0x7, 0xA:
          let (start, count) = unsafe payload(
            UnsafeRawBufferPointer(bytes), at: UInt32(truncatingIfNeeded: offset))
          guard marker >> 4 == 0xA else {
            offset = start + count
            continue
          }
          unsafe moveReferences(bytes, at: start, count: count, by: distance)
          offset = start + 4 * count
        default: offset += 9
        }
      }
    }
  }

  private static func moveReferences(
    _ bytes: UnsafeMutableRawBufferPointer, at start: Int, count: Int, by distance: UInt32
  ) {
    for position in 0..<count {
      let offset = start + 4 * position
      let moved = unsafe NodeTable.moved(reference(bytes, at: offset), by: distance)
      unsafe bytes.storeBytes(of: moved.bigEndian, toByteOffset: offset, as: UInt32.self)
    }
  }

  private static func reference(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> UInt32 {
    unsafe UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
