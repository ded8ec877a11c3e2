import Foundation
import Support
import Synchronization

/// Large archives are read in parts, each by a thread.
///
/// Where an object of an archive begins is guessed from the indentation that archivers write, and
/// a scanner reads objects from there on. The first scanner, which reads from the beginning, takes
/// over what another one has read if it comes to where that began, between two objects; otherwise
/// the guess was wrong, and it reads on by itself. So the result is always that of one scanner.
extension PropertyList.XMLScanner {
  /// Of which size parts are at least.
  private static let minPartSize = 2 << 20
  /// How far a beginning is looked for, from where a part is to begin.
  private static let maxSearch = 1 << 20

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - document: The bytes.
  ///   - limits: How far the reader goes.
  ///   - partCount: In how many parts it is read; nil for as many as its size and the processors
  ///     are worth.
  /// - Returns: What was read; nil if libxml2 has to read it.
  static func read(
    _ document: UnsafeRawBufferPointer, limits: ReadingLimits, partCount: Int? = nil
  ) -> PropertyList.Assembler.Result? {
    try? unsafe readCertain(document, limits, partCount)
  }

  private static func readCertain(
    _ document: UnsafeRawBufferPointer, _ limits: ReadingLimits, _ partCount: Int?
  ) throws(ArchiveError) -> PropertyList.Assembler.Result {
    guard let (first, end) = unsafe Frame.content(of: document) else {
      throw uncertain
    }
    let count =
      partCount
      ?? min(WorkerThread.processorCount, (end - first) / minPartSize)
    let starts = unsafe [first] + objectStarts(in: document, first..<end, partCount: count)
    let parts = try unsafe readParts(document, from: starts, end: end, limits)
    guard let whole = parts[0] else { throw uncertain }
    var next = 1
    while whole.scanner.offset < end {
      while next < starts.count, starts[next] < whole.scanner.offset { next += 1 }
      if next < starts.count, starts[next] == whole.scanner.offset, whole.scanner.isBetweenObjects {
        guard let part = parts[next] else { throw uncertain }
        try whole.scanner.append(part.scanner)
      } else {
        try whole.scanner.readElements(to: next < starts.count ? starts[next] : end)
      }
    }
    return try unsafe whole.scanner.finish(document)
  }

  /// Where objects of an archive seem to begin, at most one for each part but the first.
  private static func objectStarts(
    in document: UnsafeRawBufferPointer, _ content: Range<Int>, partCount: Int
  ) -> [Int] {
    let beginning = Array("\n\t\t<dict>".utf8)
    return (1..<max(1, partCount)).compactMap { part in
      let size = content.count / partCount
      let start = content.lowerBound + part * size
      let searched = start..<min(start + min(size, maxSearch), content.upperBound)
      return unsafe document[searched].firstRange(of: beginning).map { $0.lowerBound + 3 }
    }
  }

  /// A scanner that threads hand over to one another.
  ///
  /// Unchecked: one thread has it at a time.
  private final class Part: @unchecked Sendable {
    var scanner: PropertyList.XMLScanner

    init(_ scanner: consuming PropertyList.XMLScanner) { self.scanner = scanner }
  }

  /// Reads each part up to where the next begins; nil stands for one that libxml2 has to read.
  private static func readParts(
    _ document: UnsafeRawBufferPointer, from starts: [Int], end: Int, _ limits: ReadingLimits
  ) throws(ArchiveError) -> [Part?] {
    guard let start = document.baseAddress else { throw uncertain }
    // The threads have ended when this returns.
    nonisolated(unsafe) let document = unsafe start
    let parts = Mutex<[Part?]>(Array(repeating: nil, count: starts.count))
    WorkerThread.perform(iterations: starts.count) { index in
      let stop = index + 1 < starts.count ? starts[index + 1] : end
      guard
        let scanner = try? unsafe PropertyList.XMLScanner(
          document, from: starts[index], to: stop, end: end, isPart: index > 0, limits: limits)
      else { return }
      let part = Part(scanner)
      guard (try? part.scanner.readElements()) != nil else { return }
      parts.withLock { $0[index] = part }
    }
    return parts.withLock { $0 }
  }

  /// Goes on after what another scanner has read from here.
  private mutating func append(
    _ part: borrowing PropertyList.XMLScanner
  ) throws(ArchiveError) {
    try assembler.append(part.assembler)
    offset = part.offset
    controlCharacters += part.controlCharacters
    holdsNoncharacters = holdsNoncharacters || part.holdsNoncharacters
  }
}
