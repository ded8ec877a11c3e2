import ArchiveReader
import GraphCore

extension BinaryStoreSource {
  /// The 64 bytes at the beginning of a binary store, which lead to the two archives in it.
  ///
  /// All numbers have their high byte first: "CoreData", the version 1 and a number that all stores
  /// have in four bytes each; then in eight bytes each the offset and length of the metadata, those
  /// of the data, the highest primary key ever given, and 0. Measured on 18 stores of framework
  /// versions 358 to 1526.
  struct Envelope {
    /// The range of the archive of the metadata.
    let metadata: Range<Int>
    /// The range of the archive of the objects.
    let data: Range<Int>

    static let signature = Array("CoreData".utf8)
    static let size = 64

    /// Reads the envelope of a file.
    ///
    /// - Parameter file: The bytes of the file.
    /// - Throws: `ArchiveError` with the offset if it is damaged.
    init(_ file: ByteStorage) throws(ArchiveError) {
      let count = file.count
      guard unsafe file.bytes.starts(with: Self.signature) else {
        throw ArchiveError(.damagedStore, at: .byte(0), name: "it does not begin with CoreData")
      }
      guard count >= Self.size else {
        throw ArchiveError(.damagedStore, at: .byte(count), name: "its header is incomplete")
      }
      let version: UInt32 = Self.number(at: 8, in: file)
      guard version == 1 else {
        throw ArchiveError(
          .damagedStore, at: .byte(8), name: "version \(version) of its header is unknown")
      }
      metadata = try Self.range(at: 16, in: file, "metadata")
      data = try Self.range(at: 32, in: file, "data")
      guard !metadata.overlaps(data) else {
        throw ArchiveError(.damagedStore, at: .byte(16), name: "its metadata and data overlap")
      }
    }

    /// The part that an offset and a length lead to.
    private static func range(
      at place: Int, in file: ByteStorage, _ name: String
    ) throws(ArchiveError) -> Range<Int> {
      let offset: UInt64 = number(at: place, in: file)
      let length: UInt64 = number(at: place + 8, in: file)
      let size = file.count
      guard let start = Int(exactly: offset), let count = Int(exactly: length), start >= Self.size,
        start <= size, count <= size - start
      else {
        throw ArchiveError(
          .damagedStore, at: .byte(place), name: "its \(name) is outside of the file")
      }
      return start..<start + count
    }

    /// The number at a place in the envelope.
    private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
      at place: Int, in file: ByteStorage
    ) -> Number {
      unsafe Number(bigEndian: file.bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
    }
  }
}
