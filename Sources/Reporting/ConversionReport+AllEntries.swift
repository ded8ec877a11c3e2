import ArchiveReader
import Foundation
import Support

/// The full report: all entries of the lists that other forms cut, as lines of JSON.
extension ConversionReport {
  /// Writes the full report.
  ///
  /// The lists have all their entries where `ConversionOptions.spill` was set.
  ///
  /// - Parameters:
  ///   - lists: The lists that it has.
  ///   - path: The path of the file; what is there gives way.
  /// - Returns: Why it cannot be written, in the system's words; nil if it was.
  package func writeAllEntries(of lists: [FullReportList], to path: String) -> String? {
    OutputFile.write(to: path) { (descriptor) throws(SystemError) in
      var writer = EntryWriter(descriptor)
      for list in lists { try write(list, &writer) }
      try writer.end()
    }
  }

  private func write(_ list: FullReportList, _ writer: inout EntryWriter) throws(SystemError) {
    switch list {
    case .rejected:
      try writer.write(list, archives.filter { $0.outcome == .rejected }, UnlistedEntries())
    case .skippedFiles:
      try writer.write(list, skipped.listed.map(Archive.init), skipped.unlisted)
    case .damages:
      for archive in archives where archive.damageCount > 0 {
        let damages = archive.damages.map { LocatedDamage(archive: archive.path, $0) }
        try writer.write(list, damages, archive.unlistedDamages)
      }
    case .differences:
      guard let verification else { return }
      try writer.write(list, verification.differences, verification.unlistedDifferences)
    case .validationErrors: try writer.write(list, validationErrors, unlistedErrors)
    case .lossyConversions: try writer.write(list, losses, unlistedLosses)
    case .conflicts: try writer.write(list, conflicts, unlistedConflicts)
    }
  }

  /// The number of entries that the full report lacks: those of a run before, which only counted
  /// them.
  package func missingEntryCount(of lists: [FullReportList]) -> Int {
    lists.map { list in
      switch list {
      // The report itself has them all.
      case .rejected: 0
      case .skippedFiles: skipped.leftOut - skipped.unlisted.count
      case .damages:
        archives.map { $0.damageCount - $0.damages.count - $0.unlistedDamages.count }.boundedSum
      case .differences:
        verification.map {
          $0.differenceCount - $0.differences.count - $0.unlistedDifferences.count
        } ?? 0
      case .validationErrors:
        validationErrorCount - validationErrors.count - unlistedErrors.count
      case .lossyConversions: lossCount - losses.count - unlistedLosses.count
      case .conflicts: conflictCount - conflicts.count - unlistedConflicts.count
      }
    }.boundedSum
  }
}

/// Writes entries to a file, many at a time.
private struct EntryWriter {
  private let descriptor: CInt
  private var buffer: [UInt8] = []

  private static let bufferSize = 1 << 16

  init(_ descriptor: CInt) { self.descriptor = descriptor }

  /// Writes a list: the entries in memory, then the others.
  mutating func write(
    _ list: FullReportList, _ entries: [some Encodable], _ unlisted: UnlistedEntries
  ) throws(SystemError) {
    for entry in entries {
      // There is nothing in them that JSON has no form for.
      guard let line = try? FullReportLine(list, entry).text() else { throw SystemError(EINVAL) }
      try write(line.utf8)
    }
    if let failure = unlisted.spill?.failure { throw failure }
    var writer = self
    try unlisted.read(orThrow: { $0 }) { (piece) throws(SystemError) in try writer.write(piece) }
    self = writer
  }

  private mutating func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferSize { try end() }
  }

  /// Writes what is left.
  mutating func end() throws(SystemError) {
    try OutputFile.write(buffer, to: descriptor)
    buffer.removeAll(keepingCapacity: true)
  }
}
