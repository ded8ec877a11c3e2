import ArchiveWriter
import CoreDataStores
import Importer

/// Compares a Core Data store that may hold anything: first what it says of itself, and whether it
/// is sound, and only then its rows.
package struct CoreDataStoreComparison {
  private let path: String
  private let source: ModelSource
  private let expected: CoreDataMetadata
  private let findings: VerificationFindings

  /// Prepares to compare a store.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - source: The model that it was made by.
  ///   - expected: What it has to say of itself, but for a UUID that was made for it.
  ///   - spill: Takes the differences after those that are listed.
  package init(
    _ path: String, _ source: ModelSource, _ expected: CoreDataMetadata, _ spill: EntrySpill?
  ) {
    (self.path, self.source, self.expected) = (path, source, expected)
    findings = VerificationFindings(spill)
  }

  /// Compares the store.
  ///
  /// - Parameter compareRows: Compares the rows; not called if tables or columns are missing.
  /// - Returns: What was found.
  /// - Throws: `ModelError`, `StoreError` if the store cannot be read.
  package func compare(
    rows compareRows: () throws(StoreError) -> VerificationResult
  ) throws -> VerificationResult {
    let store = try CoreDataStore(path)
    compare(try store.metadata())
    let check = try StoreCheck.run(store, source)
    if let model = source.storedModel(), !store.carries(model) {
      findings.add(
        archive: nil, entity: CoreDataLayout.modelCacheTable, row: nil, property: "Z_CONTENT",
        expected: "the model", found: "another, several or none")
    }
    for finding in check.findings where !finding.isNote || Self.added.contains(finding.code) {
      findings.add(
        archive: nil, entity: finding.table, row: finding.row, property: finding.column ?? "",
        expected: "a sound store", found: "\(finding)")
    }
    let missing: Set<StoreFinding.Code> = [.missingTable, .missingColumn, .missingEntity]
    guard !check.findings.contains(where: { missing.contains($0.code) }) else {
      findings.omit(
        CoreDataLayout.primaryKeyTable, reason: "tables, columns or entities are missing")
      return findings.result
    }
    findings.merge(try compareRows())
    return findings.result
  }

  /// What any store may have, but not one that a conversion made.
  private static let added: Set<StoreFinding.Code> = [
    .addedTable, .addedColumn, .addedIndex, .missingIndex, .otherDeclaration, .otherHeader,
    .otherVersion, .unknownEntity, .otherEntityNumber, .otherFramework, .formerName,
    .unreadEntityNumber, .otherConfiguration,
  ]

  private func compare(_ found: CoreDataMetadata) {
    func check(_ name: String, _ isEqual: Bool) {
      findings.countEntry()
      guard !isEqual else { return }
      findings.add(
        archive: nil, entity: CoreDataLayout.metadataTable, row: nil, property: name,
        expected: "that of the conversion", found: "another")
    }
    if expected.keepsIdentity { check("NSStoreUUID", found.uuid == expected.uuid) }
    check("NSStoreModelVersionHashes", found.versionHashes == expected.versionHashes)
    check("NSStoreModelVersionIdentifiers", found.identifiers == expected.identifiers)
    let values = found.applicationValues.map(\.key).sorted()
    let expectedValues = expected.applicationValues.map(\.key).sorted()
    for key in values.filter({ !expectedValues.contains($0) }) { check(key, false) }
    for pair in expected.applicationValues {
      check(pair.key, found.applicationValues.contains(pair))
    }
  }
}
