import GraphCore

/// An entity mapping of a migration, as a policy sees it (`NSEntityMapping`).
public struct StoreEntityMapping: Sendable, Hashable {
  /// Its name, by which expressions and policies find it.
  public let name: String
  /// The entity of the old model; nil if the mapping adds an entity.
  public let sourceEntityName: String?
  /// The entity of the new model; nil if the mapping removes an entity.
  public let destinationEntityName: String?
  /// What the author of the mapping model left for the policy, by key.
  public let userInfo: [String: UnarchivedValue]
  /// Its place in the mapping model.
  let index: Int

  init(
    name: String, sourceEntityName: String?, destinationEntityName: String?,
    userInfo: [String: UnarchivedValue], index: Int
  ) {
    self.name = name
    self.sourceEntityName = sourceEntityName
    self.destinationEntityName = destinationEntityName
    self.userInfo = userInfo
    self.index = index
  }
}
