import ArchiveReader
import Support

/// The write-ahead log of a database, as far as it tells whether it is whole.
///
/// SQLite reads a log up to the first frame that does not add up, and says nothing of what follows.
/// The end of a sound log may be frames of an earlier one, which another mark tells from its own, or
/// of a transaction that was taken back: these have no end.
struct WriteAheadLog {
  private static let headerSize = 32
  private static let frameHeaderSize = 24
  private static let version: UInt32 = 3_007_000
  /// The first word, but for its last bit: that says in which order checksums take bytes.
  private static let magic: UInt32 = 0x377F_0682
  private static let pageSizes: ClosedRange<UInt32> = 512...65_536
  /// The places of the mark of the log, in the header and in that of a frame.
  private static let mark = (header: 16..<24, frame: 8..<16)

  /// The extent to which SQLite reads a log.
  enum State {
    /// To the end.
    case whole
    /// To the end of a transaction: that of the next one, or the rest of it, is not there.
    case unfinished
    /// Its header or one of its own frames is damaged, or not all there.
    case damaged
  }

  /// The extent to which SQLite reads a log that is not empty.
  ///
  /// - Parameters:
  ///   - path: The path of the log.
  ///   - index: The path of the shared memory, which counts the frames of complete transactions.
  /// - Returns: The state of the log.
  /// - Throws: `ArchiveError` if it cannot be read.
  static func state(_ path: String, index: String) throws(ArchiveError) -> State {
    let file = try InputFile(path)
    var header = [UInt8](repeating: 0, count: headerSize)
    guard file.size >= headerSize else { return .damaged }
    try read(file, headerSize, into: &header)
    let (magic, pageSize) = (word(header, 0), word(header, 8))
    guard magic & ~1 == Self.magic, word(header, 4) == version, pageSizes.contains(pageSize),
      pageSize.nonzeroBitCount == 1
    else { return .damaged }
    var checksum = Checksum(isBigEndian: magic & 1 == 1)
    checksum.add(header[..<24])
    guard checksum.isEqual(header, 24) else { return .damaged }
    var frame = [UInt8](repeating: 0, count: frameHeaderSize + Int(pageSize))
    var (rest, isOwn) = (file.size - headerSize, true)
    /// The number of frames, and of those of complete transactions.
    var (frames, complete) = (0, 0)
    /// True if there was a frame that does not add up.
    var isBroken = false
    while rest > 0 {
      let count = min(rest, frame.count)
      rest -= count
      try read(file, count, into: &frame)
      // Of a frame that ends before its mark, nothing else is known than what it follows.
      let hasMark = count < frameHeaderSize ? isOwn : frame[mark.frame] == header[mark.header]
      guard hasMark else {
        isOwn = false
        continue
      }
      guard isOwn, count == frame.count, word(frame, 0) != 0 else { return .damaged }
      // The last frame of a transaction has the size of the database.
      let isLast = word(frame, 4) != 0
      if !isBroken {
        checksum.add(frame[..<8])
        checksum.add(frame[frameHeaderSize...])
        isBroken = !checksum.isEqual(frame, 16)
      }
      guard !isBroken else {
        // What was taken back, and written over from its beginning, never came to an end.
        if isLast { return .damaged }
        continue
      }
      frames += 1
      if isLast { complete = frames }
    }
    if let counted = count(in: index, of: header[mark.header]), counted > complete {
      return .damaged
    }
    return complete == frames ? .whole : .unfinished
  }

  /// The number of frames of a log by the shared memory: none of those that are in the database.
  ///
  /// - Parameters:
  ///   - path: The path of the shared memory.
  ///   - mark: The mark of the log.
  /// - Returns: The number; nil if there is no shared memory, or it is that of another log.
  private static func count(in path: String, of mark: ArraySlice<UInt8>) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 100)
    guard let file = try? InputFile(path), file.size >= bytes.count,
      (try? read(file, bytes.count, into: &bytes)) != nil
    else { return nil }
    // Its numbers are those of the machine that wrote it; the mark stands there as in the log.
    func number(_ place: Int) -> UInt32 {
      let number = word(bytes, place)
      return word(bytes, 0) == version ? number : number.byteSwapped
    }
    guard number(0) == version, bytes[12] != 0, bytes[32..<40] == mark else { return nil }
    let (count, copied) = (number(16), number(96))
    return count > copied ? Int(count) : 0
  }

  private static func read(
    _ file: borrowing InputFile, _ count: Int, into bytes: inout [UInt8]
  ) throws(ArchiveError) {
    var failure: ArchiveError?
    unsafe bytes.withUnsafeMutableBytes { memory in
      do throws(ArchiveError) {
        unsafe try file.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The checksum of all that a log has up to some place.
  private struct Checksum {
    let isBigEndian: Bool
    private var (first, second): (UInt32, UInt32) = (0, 0)

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Adds bytes, eight at a time.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
      unsafe bytes.withUnsafeBytes { bytes in
        for place in stride(from: 0, to: bytes.count &- 7, by: 8) {
          first &+= unsafe word(bytes, place) &+ second
          second &+= unsafe word(bytes, place &+ 4) &+ first
        }
      }
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
      return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }

    /// True if the checksum is the one that stands at a place, its two words with the high byte
    /// first.
    func isEqual(_ bytes: [UInt8], _ place: Int) -> Bool {
      WriteAheadLog.word(bytes, place) == first && WriteAheadLog.word(bytes, place + 4) == second
    }
  }
}
