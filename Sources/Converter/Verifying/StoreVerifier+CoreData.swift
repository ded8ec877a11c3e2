import ArchiveReader
import CoreDataStores
import Support

/// Stores in the layout of Core Data.
extension StoreVerifier {
  /// Compares a store in the layout of Core Data.
  ///
  /// Its run is repeated in the relational layout; that store is compared with the inputs, value by
  /// value, and this one with it.
  ///
  /// - Parameter metadata: What the store says of itself.
  /// - Throws: `ConversionError`, `StoreError`, `ModelError` if a store cannot be read.
  mutating func compareCoreDataStore(_ metadata: CoreDataMetadata) throws {
    let record = try RunRecord(metadata, path: path)
    let finder = try findInputs(of: [record])
    let findings = VerificationFindings(options.spill)
    let inputs = metadata.archives.compactMap { archive in
      takeInput(archive.sha256, path: archive.path, row: nil, findings)
    }
    guard inputs.count == metadata.archives.count else {
      findings.omit(
        CoreDataLayout.metadataTable, reason: "some of its archives are not among the inputs")
      return report.verification = findings.result
    }
    let started = report.startedAt
    report = try Conversion.comparing(
      path, with: inputs.map(\.path), try runOptions(record, inputs))
    (report.storePath, report.isDryRun, report.startedAt) = (path, false, started)
    try report.noteStore()
    try tellOthers(finder, findings)
    if let result = report.verification { findings.merge(result) }
    report.verification = findings.result
  }
}
