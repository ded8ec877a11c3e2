import DataModel

/// An entity mapping, of a mapping file or of a mapping model, as a policy sees it.
public struct MigrationMapping: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// The classes whose objects are its source instances, as they are archived; of a mapping model
  /// the source entity, if it has one.
  public let sourceClassNames: [String]
  /// The name of the pass; nil for the first one, and in a mapping model.
  public let passName: String?
  /// The values that the author of a mapping model left for the policy, by key; collections are
  /// left out.
  public let userInfo: [String: ImportValue]
  /// The entity whose rows they become, if there is one.
  package let destination: String?
  /// Its place in its pass, or in the mapping model.
  package let index: Int

  package init(
    name: String, sourceClassNames: [String], destination: String?,
    passName: String? = nil, userInfo: [String: ImportValue] = [:], index: Int
  ) {
    self.name = name
    self.sourceClassNames = sourceClassNames
    self.destination = destination
    self.passName = passName
    self.userInfo = userInfo
    self.index = index
  }

  /// The entity whose rows the source instances become.
  ///
  /// - Throws: `ImportError` if there is none: a mapping model can leave objects behind.
  public var destinationEntityName: String {
    get throws(ImportError) {
      guard let destination else { throw ImportError(.noDestination, name: name) }
      return destination
    }
  }
}
