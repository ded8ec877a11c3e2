import DataModel
import Foundation

/// What a store says of its model.
extension StoreCheck {
  /// Compares the metadata and the numbers of entities with the model.
  package mutating func checkModel() throws(ModelError) {
    let metadata = try store.metadata()
    let table = CoreDataLayout.metadataTable
    let column = "Z_PLIST"
    if !metadata.hasIdentity {
      add(StoreFinding(.badIdentifier, table: table, column: "Z_UUID"))
    }
    if metadata.versionHashes.isEmpty, metadata.frameworkVersion == nil {
      add(StoreFinding(.missingHashes, table: table, column: column))
    } else if metadata.hashesVersion != CoreDataMetadata.hashesVersion {
      add(
        StoreFinding(
          .otherHashesVersion, table: table, column: column,
          name: metadata.hashesVersion.map(String.init) ?? "none"))
    } else {
      checkHashes(metadata, table, column)
    }
    for gap in layout.gaps {
      let name = [gap.entity, gap.property].compactMap { $0 }.joined(separator: ".")
      add(StoreFinding(.uncheckedProperty, table: CoreDataLayout.primaryKeyTable, name: name))
    }
    for note in source.model.notes where note.isAboutInverse {
      let name = [note.entity, note.property].compactMap { $0 }.joined(separator: ".")
      add(StoreFinding(.oneSidedInverse, table: CoreDataLayout.primaryKeyTable, name: name))
    }
    try checkNumbers()
  }

  private mutating func checkHashes(_ metadata: CoreDataMetadata, _ table: String, _ column: String)
  {
    let hashes = metadata.versionHashes
    let uncertain = Set(source.model.entitiesWithUncertainHash)
    for name in source.model.entitiesThatDiffer(from: hashes) {
      let isUncertain = uncertain.contains(name) && hashes[name] != nil
      add(
        StoreFinding(
          isUncertain ? .uncheckedHash : .otherHash, table: table, column: column, name: name))
    }
    let digests = [
      (metadata.digest, Model.digest(of: hashes)), (metadata.checksum, Model.checksum(of: hashes)),
    ]
    for (found, expected) in digests where found != nil && found != expected {
      add(StoreFinding(.otherDigest, table: table, column: column))
    }
  }

  /// Compares Z_PRIMARYKEY with the model.
  ///
  /// A store has its own numbers: they are those of its rows, whatever numbers the model would give
  /// today. So another number is a note, but another parent is a fault.
  private mutating func checkNumbers() throws(ModelError) {
    let table = CoreDataLayout.primaryKeyTable
    let rows = try store.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    var known: Set<String> = []
    let storages = Dictionary(
      layout.entities.map { ($0.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
    let usual = Dictionary(
      source.model.numberedEntities.map { ($0.entity.name, $0.number) },
      uniquingKeysWith: { first, _ in first })
    for row in rows {
      guard case .integer(let number) = row[0], case .text(let name) = row[1] else { continue }
      guard let storage = storages[name] else {
        if number < CoreDataStore.firstOwnNumber {
          add(StoreFinding(.unknownEntity, table: table, row: number, name: name))
        }
        continue
      }
      guard known.insert(name).inserted else {
        add(StoreFinding(.repeatedEntity, table: table, row: number, name: name))
        continue
      }
      let parent = storage.isRoot ? 0 : layout.entities[storage.parent - 1].storeNumber
      if row[2] != .integer(Int64(parent)) {
        add(StoreFinding(.otherParent, table: table, row: number, name: name))
      }
      if usual[name].map(Int64.init) != number {
        add(StoreFinding(.otherEntityNumber, table: table, row: number, name: name))
      }
    }
    for storage in layout.entities where !known.contains(storage.entity.name) {
      add(StoreFinding(.missingEntity, table: table, name: storage.entity.name))
    }
  }
}
