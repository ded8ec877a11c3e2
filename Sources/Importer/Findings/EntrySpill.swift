import ArchiveReader
import Foundation
import Support
import Synchronization

/// A file for the entries of a report's lists that are too many for memory: without a name, in the
/// folder for temporary files, made when the first of them comes.
///
/// Several threads may append to it. What is thrown away leaves bytes behind that nobody points to.
package final class EntrySpill: Sendable {
  private struct State {
    var descriptor: CInt?
    var end: Int64 = 0
    /// The first error: then the lists are not whole.
    var failure: SystemError?
  }

  private let state = Mutex(State())

  /// Prepares a file, which is not made before it is needed.
  package init() {}

  deinit {
    state.withLock { state in
      if let descriptor = state.descriptor { close(descriptor) }
    }
  }

  /// Why entries are missing; nil as long as none are.
  package var failure: SystemError? { state.withLock(\.failure) }

  /// Notes that an entry is missing.
  func fail(_ error: SystemError) { state.withLock { $0.failure = $0.failure ?? error } }

  /// Appends bytes; returns where they are.
  func append(_ bytes: [UInt8]) -> Range<Int64> {
    state.withLock { state in
      let start = state.end
      guard state.failure == nil else { return start..<start }
      do throws(SystemError) {
        if state.descriptor == nil { state.descriptor = try TemporaryFile.make() }
        guard let descriptor = state.descriptor else { return start..<start }
        try FileSystem.write(bytes, to: descriptor, at: Int(start))
        state.end += Int64(bytes.count)
      } catch {
        state.failure = error
      }
      return start..<state.end
    }
  }

  /// Reads bytes, piece by piece.
  ///
  /// - Parameters:
  ///   - range: The place of the bytes.
  ///   - failure: Makes an error from the system's.
  ///   - body: Called with each piece.
  /// - Throws: An error so made, and any error of the body.
  func read<E: Error>(
    _ range: Range<Int64>, orThrow failure: (SystemError) -> E,
    _ body: (ArraySlice<UInt8>) throws(E) -> Void
  ) throws(E) {
    guard let descriptor = state.withLock(\.descriptor) else { return }
    var buffer = [UInt8](repeating: 0, count: Int(min(Self.pieceSize, Int64(range.count))))
    var offset = range.lowerBound
    while offset < range.upperBound {
      let most = Int(min(Int64(buffer.count), range.upperBound - offset))
      let count: Int
      do throws(SystemError) {
        count = try FileSystem.again { unsafe pread(descriptor, &buffer, most, off_t(offset)) }
        guard count > 0 else { throw SystemError(EIO) }
      } catch {
        throw failure(error)
      }
      try body(buffer[..<count])
      offset += Int64(count)
    }
  }

  /// The number of bytes that are read at a time.
  private static let pieceSize: Int64 = 1 << 18
}

extension EntrySpill: Hashable {
  /// True if they are the same file.
  package static func == (first: EntrySpill, second: EntrySpill) -> Bool { first === second }

  /// Hashes which file it is.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The entries of a list after those that are kept in memory.
///
/// They are lines of JSON in an `EntrySpill`, if there is one. Else they are only counted, by
/// whoever has the list.
///
/// It is a value: a copy goes on by itself, and one that is thrown away takes its entries with it.
/// So attempts that count for nothing, and threads, leave nothing in the list that is not in it.
package struct UnlistedEntries: Sendable, Hashable {
  package private(set) var spill: EntrySpill?
  /// The places of the lines in the file, in their order.
  private var ranges: [Range<Int64>] = []
  /// The lines that are not in the file yet.
  private var buffer: [UInt8] = []
  /// The number of bytes of the lines.
  package private(set) var byteCount: Int64 = 0
  /// The number of entries.
  package private(set) var count = 0

  /// The number of bytes that wait in memory, about.
  private static let bufferSize = 1 << 16

  package init(_ spill: EntrySpill? = nil) { self.spill = spill }

  /// True if entries are kept at all.
  var areKept: Bool { spill != nil }

  /// Adds an entry.
  package mutating func add(_ list: FullReportList, _ entry: @autoclosure () -> some Encodable) {
    guard let spill else { return }
    guard let line = try? FullReportLine(list, entry()).text() else {
      spill.fail(SystemError(EINVAL))
      return
    }
    add(lines: line.utf8, 1)
  }

  /// Adds some number of lines.
  package mutating func add(lines: some Collection<UInt8>, _ count: Int) {
    self.count += count
    add(lines)
  }

  private mutating func add(_ lines: some Collection<UInt8>) {
    buffer.append(contentsOf: lines)
    byteCount += Int64(lines.count)
    if buffer.count >= Self.bufferSize { flush() }
  }

  /// Adds the entries of another list.
  package mutating func append(_ other: UnlistedEntries) {
    guard other.byteCount > 0 else { return }
    count += other.count
    spill = spill ?? other.spill
    if !other.ranges.isEmpty {
      flush()
      for range in other.ranges { add(range) }
      byteCount += other.byteCount - Int64(other.buffer.count)
    }
    add(other.buffer)
  }

  /// Puts entries after those of a list that is kept in memory, as far as there is room, and the
  /// others after these.
  package mutating func append<Entry: Encodable>(
    _ entries: [Entry], _ list: FullReportList, to listed: inout [Entry],
    before others: UnlistedEntries
  ) {
    spill = spill ?? others.spill
    let room = max(0, ImportFindings.maxEntries - listed.count)
    listed += entries.prefix(room)
    if areKept {
      for entry in entries.dropFirst(room) { add(list, entry) }
    }
    append(others)
  }

  /// Reads the lines, piece by piece.
  ///
  /// - Parameters:
  ///   - start: The number of their bytes that are passed over.
  ///   - failure: Makes an error from the system's.
  ///   - body: Called with each piece.
  /// - Throws: An error so made, and any error of the body.
  package func read<E: Error>(
    from start: Int64 = 0, orThrow failure: (SystemError) -> E,
    _ body: (ArraySlice<UInt8>) throws(E) -> Void
  ) throws(E) {
    var passed = start
    for range in ranges {
      let skipped = min(passed, Int64(range.count))
      passed -= skipped
      let rest = range.lowerBound + skipped..<range.upperBound
      if !rest.isEmpty { try spill?.read(rest, orThrow: failure, body) }
    }
    let rest = buffer.dropFirst(Int(min(passed, Int64(buffer.count))))
    if !rest.isEmpty { try body(rest) }
  }

  private mutating func flush() {
    guard let spill, !buffer.isEmpty else { return }
    add(spill.append(buffer))
    buffer.removeAll(keepingCapacity: true)
  }

  private mutating func add(_ range: Range<Int64>) {
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else if !range.isEmpty {
      ranges.append(range)
    }
  }
}

/// An entry of a list as the full report has it: a line with a JSON object, which has the fields of
/// the entry in the report in JSON, and the name of the list.
package struct FullReportLine<Entry: Encodable>: Encodable {
  private enum CodingKeys: String, CodingKey {
    case list
  }

  private let list: FullReportList
  private let entry: Entry

  package init(_ list: FullReportList, _ entry: Entry) { (self.list, self.entry) = (list, entry) }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(list, forKey: .list)
    try entry.encode(to: encoder)
  }

  /// The line, ended.
  package func text() throws -> String { try JSONDocument.line(of: self) }
}

/// The lists of a report that may be longer than other forms have them, in their order.
package enum FullReportList: String, Codable, CaseIterable {
  case rejected, skippedFiles, damages, differences, validationErrors, lossyConversions, conflicts
}
