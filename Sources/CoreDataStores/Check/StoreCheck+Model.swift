import DataModel
import Foundation

/// The checks of a store against its model.
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
    checkValues(metadata, table, column)
    checkModelCache()
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

  /// Checks what Core Data writes into the metadata of each store of this kind.
  private mutating func checkValues(_ metadata: CoreDataMetadata, _ table: String, _ column: String)
  {
    // Mac OS X 10.4 wrote none of it.
    guard !metadata.versionHashes.isEmpty else { return }
    if metadata.storeType != CoreDataMetadata.sqliteType {
      add(
        StoreFinding(
          .otherStoreType, table: table, column: column, name: metadata.storeType ?? "missing"))
    }
    if let level = metadata.autoVacuumLevel, level != CoreDataMetadata.autoVacuumLevel {
      add(StoreFinding(.otherVacuumLevel, table: table, column: column, name: level))
    }
    if let version = metadata.frameworkVersion, version != CoreDataMetadata.frameworkVersion,
      metadata.conversion != nil
    {
      add(StoreFinding(.otherFramework, table: table, column: column, name: "\(version)"))
    }
  }

  /// Checks that the model in the store can be read, and nothing else with it.
  private mutating func checkModelCache() {
    func finding(_ code: StoreFinding.Code) -> StoreFinding {
      StoreFinding(code, table: CoreDataLayout.modelCacheTable, column: "Z_CONTENT")
    }
    do throws(ModelError) {
      guard let cache = try store.modelCache() else { return }
      if cache.surplus > 0 { add(finding(.surplusModelBytes)) }
      _ = try ArchivedModel(cache.content, limits)
    } catch {
      guard [.damagedCache, .damagedArchive, .notAModel].contains(error.code) else { return }
      add(finding(.damagedModel))
    }
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
    let names = Dictionary(
      storedEntities.map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    let storages = Dictionary(
      layout.entities.map { ($0.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
    let usual = Dictionary(
      source.model.numberedEntities.map { ($0.entity.name, $0.number) },
      uniquingKeysWith: { first, _ in first })
    for row in rows {
      guard case .integer(let number) = row[0] else { continue }
      guard case .text(let stored) = row[1] else {
        add(StoreFinding(.unnamedEntity, table: table, row: number))
        continue
      }
      var name = stored
      if storages[stored] == nil, let own = Int(exactly: number).flatMap({ names[$0] }) {
        name = own
        add(StoreFinding(.formerName, table: table, row: number, name: name))
      }
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
