import Converter
import Foundation
import TestSupport
import Testing

@Suite(
  "Stores like those of Core Data",
  .enabled(if: CoreDataStorePair.folder != nil, "the folder of real stores is absent"))
struct CoreDataStoreConformanceTests {
  /// How a made store differs from the real one, by the names of tables and indexes: "-" is in the
  /// real one alone, "+" in the made one alone, "~" in both, declared in another way.
  ///
  /// All real ones are from frameworks before version 866, which knew no model cache (up to 526),
  /// had other indexes (up to 846) and declared uniqueness with the table (up to 865); or have a
  /// relationship between rows of one entity, for which a second join table is made.
  private static let differences: [String: Set<String>] = {
    let noCache: Set = ["+Z_MODELCACHE"]
    let secondTable: Set = [
      "+Z_1FAVORITEFOLDERS", "+Z_1FAVORITEFOLDERS_Z_1FAVORITEFOLDERS_INDEX",
    ]
    let mood: Set = [
      "-ZMOOD_ZMARKEDFORDELETIONDATE_INDEX", "+Z_Mood_markedForDeletionDate",
      "-ZMOOD_ZREMOTEID_INDEX", "+Z_Mood_remoteID",
      "-ZMOOD_ZMARKEDFORREMOTEDELETION_ZMARKEDFORDELETIONDATE_ZDATE",
      "+Z_Mood_markedForRemoteDeletion_markedForDeletionDate_date",
    ]
    func region(_ entity: String) -> Set<String> {
      let table = "Z\(entity.uppercased())"
      return [
        "~\(table)", "-\(table)_ZMARKEDFORDELETIONDATE_ZUPDATEDAT",
        "+Z_\(entity)_markedForDeletionDate_updatedAt",
        "+Z_\(entity)_UNIQUE_numericISO3166Code_uniquenessDummy",
      ]
    }
    let renamed = mood.subtracting(["-ZMOOD_ZREMOTEID_INDEX", "+Z_Mood_remoteID"])
      .union(["-ZMOOD_ZREMOTEIDENTIFIER_INDEX", "+Z_Mood_remoteIdentifier"])
    let country = [
      "area", "capital", "continent", "currency", "name", "phone", "population", "tld",
    ]
    return [
      "CodeExamples-WorldFacts": noCache.union(
        country.flatMap { ["-ZCOUNTRY_Z\($0.uppercased())_INDEX", "+Z_Country_\($0)"] }),
      "apple-browsers-Bookmarks-V4": secondTable, "apple-browsers-Bookmarks-V5": secondTable,
      "cdt-materials-SurfJournalModel-challenge": noCache,
      "cdt-materials-SurfJournalModel-final": noCache,
      "cdt-materials-SurfJournalModel-starter": noCache,
      "core-data-Moody-moody": renamed.union(region("GeographicRegion")),
      "core-data-Moody-2-moody": mood.union(region("GeographicRegion")),
      "core-data-Moody-3-moody": mood.union(region("GeographicRegion")),
      "core-data-Moody-4-moody": mood.union(region("Continent")).union(region("Country")),
      "core-data-Moody-5-moody": mood.union(region("Country")),
      "issue-4-core-data-migration-Model1": noCache,
    ]
  }()

  /// Pairs with the same declarations in another order: their stores were migrated in place.
  private static let otherOrder: Set = [
    "CoreDataMigrationRevised-Example-CoreDataMigration-Example-2"
  ]

  private static let declarations =
    "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
  private static let columns = """
    SELECT t.name, c.cid, c.name, c.type, c.pk FROM pragma_table_list AS t,
      pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name LIKE 'Z%'
    """

  @Test("Tables, columns and indexes are those of Core Data", arguments: CoreDataStorePair.all)
  func declarations(_ pair: CoreDataStorePair) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "made.sqlite")
    for model in [pair.xmlModel, pair.compiledModel].compactMap({ $0 }) {
      try EmptyStore(ModelSource(contentsOf: model), layout: .coreData)
        .write(to: path, isReplacing: true)
      let made = try StoreQuery(path)
      try pair.withStore { real in
        let (ours, theirs) = (try made.rows(Self.declarations), try real.rows(Self.declarations))
        let difference = Self.difference(ours, theirs)
        #expect(difference == Self.differences[pair.name] ?? [], "\(model)")
        if difference.isEmpty {
          #expect((ours == theirs) != Self.otherOrder.contains(pair.name), "\(model)")
        }
        let common = Set(ours.map { $0[0] }).intersection(theirs.map { $0[0] })
        let columns = { (store: StoreQuery) in
          Set(try store.rows(Self.columns).filter { common.contains($0[0]) })
        }
        let missing = try columns(real).symmetricDifference(try columns(made))
        #expect(missing.isEmpty, "\(model)")
      }
      #expect(try made.flaws() == [])
    }
  }

  @Test(
    "What it says of itself and its model is what the real one says",
    arguments: CoreDataStorePair.all)
  func metadata(_ pair: CoreDataStorePair) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "made.sqlite")
    let real = try pair.metadata()
    for model in [pair.compiledModel, pair.xmlModel].compactMap({ $0 }) {
      let notes = try EmptyStore(ModelSource(contentsOf: model), layout: .coreData)
        .write(to: path, isReplacing: true)
      #expect(notes.uncertainHashes == [])
      #expect(notes.omittedIndexes == [])
      #expect(notes.hasModel)
      let made = try StoreQuery(path)
      let metadata = try CoreDataMetadata(made)
      #expect(metadata.hashes == real.hashes)
      #expect(metadata.digest == real.digest ?? metadata.digest)
      #expect(metadata.checksum == real.checksum ?? metadata.checksum)
      #expect(metadata.numbers == real.numbers)
      if model == pair.compiledModel {
        #expect(metadata.identifiers == real.identifiers.sorted())
        #expect(try Model(contentsOf: path) == Model(contentsOf: model))
      }
      for pragma in ["page_size", "auto_vacuum", "encoding", "user_version", "application_id"] {
        let value = try pair.withStore { try $0.value("PRAGMA \(pragma)") }
        #expect(try made.value("PRAGMA \(pragma)") == value)
      }
    }
  }

  @Test("A store gives the model that it carries", arguments: CoreDataStorePair.all)
  func cachedModel(_ pair: CoreDataStorePair) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      try Data(contentsOf: URL(fileURLWithPath: pair.store)), to: "store.sqlite")
    guard let compiled = pair.compiledModel else {
      let error = #expect(throws: ModelError.self) { try ModelSource(contentsOf: path) }
      #expect(error?.code == .missingModel)
      return
    }
    let source = try ModelSource(contentsOf: path)
    #expect(source.model == (try Model(contentsOf: compiled)))
    #expect(source.compiledModel == (try Data(contentsOf: URL(fileURLWithPath: compiled))))
    #expect(source.versionHashes == (try pair.metadata().hashes))
    #expect(source.differingHashes == [])
    #expect(try folder.names() == ["store.sqlite"])
  }

  private static func difference(_ ours: [[String]], _ theirs: [[String]]) -> Set<String> {
    let ours = Dictionary(uniqueKeysWithValues: ours.map { ($0[0], $0[1]) })
    let theirs = Dictionary(uniqueKeysWithValues: theirs.map { ($0[0], $0[1]) })
    var found: Set<String> = []
    for name in Set(ours.keys).union(theirs.keys) where ours[name] != theirs[name] {
      found.insert((ours[name] == nil ? "-" : theirs[name] == nil ? "+" : "~") + name)
    }
    return found
  }
}
