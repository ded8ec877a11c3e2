import ArchiveReader
import DataModel
import Foundation

/// The entities of a store's model, and the model to judge the store by.
extension CoreDataStore {
  /// The number from which on entities are Core Data's own, such as those of its history.
  static let firstOwnNumber: Int64 = 16_000

  /// The entities that the store has numbers for: the first of each name.
  func entityRows() throws(ModelError) -> StoredEntities {
    var entities = StoredEntities()
    for row in try rows(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE typeof(Z_ENT) = 'integer' "
        + "ORDER BY Z_ENT")
    {
      guard case .integer(let number) = row[0], case .text(let name) = row[1] else { continue }
      var parent: Int64?
      if case .integer(let number) = row[2] { parent = number }
      entities.append(.init(number: Int(number), name: name, parent: parent))
    }
    return entities
  }

  /// True if the store carries a compiled model, or one that says the same, and no other.
  package func carries(_ compiledModel: Data) -> Bool {
    guard let (bytes, surplus) = try? modelCache(), surplus == 0,
      (try? rows("SELECT count(*) FROM \(CoreDataLayout.modelCacheTable)")) == [[.integer(1)]]
    else { return false }
    guard bytes != compiledModel else { return true }
    guard let model = try? ArchivedModel(bytes, .standard).model,
      let expected = try? ArchivedModel(compiledModel, .standard).model
    else { return false }
    return model == expected
  }

  /// The model to judge the store by.
  ///
  /// - Parameters:
  ///   - paths: The path of a model, or of its versions, or those of several that are merged; none
  ///     for the model that the store carries.
  ///   - limits: The limits for reading the archive that a model may be.
  /// - Returns: The only version, or of several the one that the store is of.
  /// - Throws: `ModelError` if there is none.
  func modelSource(
    _ paths: [String], _ limits: ReadingLimits
  ) throws(ModelError) -> ModelSource {
    guard !paths.isEmpty else { return try ModelSource(contentsOf: self.path, limits: limits) }
    let versions = try ModelVersions(contentsOf: paths, limits: limits)
    if let first = versions.versions.first, versions.versions.count == 1 { return first.source }
    return try versions.match(entities(), of: self.path).version.source
  }

  /// The entities of the store's model, as far as the store tells.
  func entities() throws(ModelError) -> StoreEntities {
    var names: Set<String> = []
    for row in try rows(
      "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < \(Self.firstOwnNumber)")
    {
      if case .text(let name) = row.first { names.insert(name) }
    }
    return StoreEntities(try metadata(), names: names, isComplete: true)
  }
}
