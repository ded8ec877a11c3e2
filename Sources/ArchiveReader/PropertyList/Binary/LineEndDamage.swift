extension PropertyList {
  /// The damage of a binary property list by a transfer that converts line ends, told from its
  /// bytes.
  ///
  /// Such transfers (FTP in text mode, version control, old mail) treat bytes of numbers as line
  /// ends. What is left is told by the size that the trailer declares, and by what bytes are
  /// missing. A sound file may look the same: this is to explain an error, not to find one.
  enum LineEndDamage: String {
    /// Each CR became LF, or was taken away.
    case noCarriageReturn = "it has no 0x0D byte"
    /// The CR of each CR LF was taken away.
    case pairsShortened = "bytes are missing, and no 0x0D precedes a 0x0A"
    /// Each LF became CR LF.
    case lineFeedsLengthened = "there are extra bytes, and a 0x0D precedes every 0x0A"

    private static let trailerSize = BinaryBytes.trailerSize
    /// In a binary file of this size, a byte that never occurs is next to impossible.
    private static let certainSize = 2_000

    /// Tells from the bytes of a file; nil if they do not look like such damage.
    init?(_ bytes: some BidirectionalCollection<UInt8>) {
      guard bytes.count > Self.trailerSize else { return nil }
      // Most damage of other kinds leaves no trailer: then the file need not be gone through.
      let tail = Self.shortened(bytes.suffix(2 * Self.trailerSize + 1))
      let frame = Frame(bytes.suffix(Self.trailerSize))
      let shortened = Frame(tail.suffix(Self.trailerSize))
      guard frame != nil || shortened != nil else { return nil }

      let (returns, feeds, pairs) = Self.count(bytes)
      if feeds > 0, pairs == feeds {
        guard let shortened, shortened.byteCount == bytes.count - pairs else { return nil }
        self = .lineFeedsLengthened
        return
      }
      guard let frame else { return nil }
      let missing = frame.byteCount - bytes.count
      let lacksReturns = missing > 0 && missing <= feeds
      // Of 14 objects, one has the number 0x0D, which something refers to.
      let lacksReference = missing == 0 && frame.objectCount > 0x0D && feeds > 0
      if returns == 0, bytes.count > Self.certainSize || lacksReference || lacksReturns {
        self = .noCarriageReturn
      } else if pairs == 0, lacksReturns {
        self = .pairsShortened
      } else {
        return nil
      }
    }

    /// The numbers of CR, LF and CR LF in a file.
    private static func count(
      _ bytes: some Sequence<UInt8>
    ) -> (returns: Int, feeds: Int, pairs: Int) {
      var (returns, feeds, pairs) = (0, 0, 0)
      var last: UInt8 = 0
      for byte in bytes {
        if byte == 0x0D { returns += 1 }
        if byte == 0x0A {
          feeds += 1
          if last == 0x0D { pairs += 1 }
        }
        last = byte
      }
      return (returns, feeds, pairs)
    }

    /// The error as it is, or what explains it: that line ends were converted.
    static func explain(_ error: ArchiveError, in file: ByteStorage) -> ArchiveError {
      guard error.limit == nil, let damage = unsafe LineEndDamage(file.bytes) else { return error }
      return ArchiveError(.damagedLineEnds, at: error.position, name: damage.rawValue)
    }

    /// Takes away each CR that stands before an LF.
    private static func shortened(_ bytes: some Sequence<UInt8>) -> [UInt8] {
      var result: [UInt8] = []
      for byte in bytes {
        if byte == 0x0A, result.last == 0x0D { result.removeLast() }
        result.append(byte)
      }
      return result
    }
  }
}

/// The counts of a whole file that its trailer gives.
private struct Frame {
  var objectCount: Int
  /// The size of a file whose offset table ends where the trailer begins.
  var byteCount: Int

  init?(_ trailer: some Collection<UInt8>) {
    let trailer = Array(trailer)
    guard trailer.count == PropertyList.BinaryBytes.trailerSize,
      trailer[..<5].allSatisfy({ $0 == 0 }), (1...8).contains(trailer[6]),
      (1...8).contains(trailer[7])
    else { return nil }
    func number(at offset: Int) -> Int? {
      Int(exactly: trailer[offset..<(offset + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    guard let count = number(at: 8), let start = number(at: 24) else { return nil }
    let (table, isTooLarge) = count.multipliedReportingOverflow(by: Int(trailer[6]))
    let (end, isTooFar) = table.addingReportingOverflow(start)
    guard !isTooLarge, !isTooFar, end <= Int.max - trailer.count else { return nil }
    objectCount = count
    byteCount = end + trailer.count
  }
}
