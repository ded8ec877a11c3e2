/// Damages archives at random, the same way for the same seed.
///
/// Knows where the parts of a binary property list stand, so that most damage is found late: in a
/// value or a reference rather than in the trailer.
package struct ArchiveMutator {
  private let original: [UInt8]
  private let isBinary: Bool
  private var random: SeededGenerator

  /// Prepares to damage an archive.
  package init(_ bytes: some Sequence<UInt8>, seed: UInt64) {
    original = Array(bytes)
    isBinary = original.starts(with: "bplist".utf8)
    random = SeededGenerator(seed: seed)
  }

  /// The archive with damage in one to three places.
  package mutating func next() -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: bytes[place(in: bytes)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes[place(in: bytes)] = .random(in: .min ... .max, using: &random)
      case 3: cut(&bytes)
      case 4: splice(&bytes)
      case 5 where isBinary, 6 where isBinary: swapReferences(&bytes)
      case 7 where isBinary: changeCount(&bytes)
      case 8 where isBinary: changeTrailer(&bytes)
      case 9 where isBinary: changeOffset(&bytes)
      default: swapElements(&bytes)
      }
    }
    return bytes
  }

  private mutating func place(in bytes: [UInt8]) -> Int {
    Int.random(in: bytes.indices, using: &random)
  }

  /// Cuts the end off, mostly a little.
  private mutating func cut(_ bytes: inout [UInt8]) {
    let most = Bool.random(using: &random) ? min(64, bytes.count) : bytes.count
    bytes.removeLast(Int.random(in: 1...most, using: &random))
  }

  /// Copies a block over another place, takes one out, or puts one in.
  private mutating func splice(_ bytes: inout [UInt8]) {
    let start = place(in: bytes)
    let block = Array(bytes[start...].prefix(Int.random(in: 1...64, using: &random)))
    let target = place(in: bytes)
    let end = min(target + block.count, bytes.count)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: bytes.replaceSubrange(target..<end, with: block.prefix(end - target))
    case 1: bytes.removeSubrange(target..<end)
    default: bytes.insert(contentsOf: block, at: target)
    }
  }

  /// Exchanges two UIDs of one byte, or a UID and whatever looks like one.
  private mutating func swapReferences(_ bytes: inout [UInt8]) {
    let markers = bytes.indices.dropLast().filter { bytes[$0] == 0x80 }
    guard let one = markers.randomElement(using: &random),
      let other = markers.randomElement(using: &random)
    else { return }
    bytes.swapAt(one + 1, other + 1)
  }

  /// Changes the count in the marker of a string, a container or data.
  private mutating func changeCount(_ bytes: inout [UInt8]) {
    let markers = bytes.indices.filter { [0x4, 0x5, 0x6, 0xA, 0xC, 0xD].contains(bytes[$0] >> 4) }
    guard let marker = markers.randomElement(using: &random) else { return }
    bytes[marker] = bytes[marker] & 0xF0 | UInt8.random(in: 0...15, using: &random)
  }

  /// Changes a byte of the trailer.
  private mutating func changeTrailer(_ bytes: inout [UInt8]) {
    guard bytes.count > 32 else { return }
    let place = bytes.count - Int.random(in: 1...26, using: &random)
    bytes[place] =
      Bool.random(using: &random) ? bytes[place] &+ 1 : .random(in: .min ... .max, using: &random)
  }

  /// Changes an entry of the offset table by a little.
  private mutating func changeOffset(_ bytes: inout [UInt8]) {
    guard bytes.count > 40 else { return }
    let start = Int(bytes[bytes.count - 2]) << 8 | Int(bytes[bytes.count - 1])
    guard start < bytes.count - 32 else { return }
    let place = Int.random(in: start..<(bytes.count - 32), using: &random)
    bytes[place] = bytes[place] &+ (Bool.random(using: &random) ? 1 : 255)
  }

  /// Exchanges two bytes; of XML, two words behind "<".
  private mutating func swapElements(_ bytes: inout [UInt8]) {
    let starts = isBinary ? Array(bytes.indices) : bytes.indices.filter { bytes[$0] == 0x3C }
    guard let one = starts.randomElement(using: &random),
      let other = starts.randomElement(using: &random)
    else { return }
    for step in 0..<(isBinary ? 1 : 12) {
      guard one + step < bytes.count, other + step < bytes.count else { return }
      bytes.swapAt(one + step, other + step)
    }
  }
}
