import Foundation

/// A Core Data model with what stands next to it in the file or folder that it was read from.
public struct ModelSource: Sendable {
  /// The model.
  public var model: Model
  /// The path of the file that it was read from; nil for a model that a program made, or that the
  /// store carries that is read by it.
  public package(set) var path: String?
  /// The bytes of the compiled model, where it is one: the content of a `.mom` file.
  public var compiledModel: Data?
  /// The version hashes that stand next to it: in `VersionInfo.plist`, or in the store.
  public var versionHashes: [String: Data]?

  /// Makes a source of a model without anything beside it.
  public init(_ model: Model) {
    self.model = model
  }

  /// Makes a source of a model that is part of the file at a path.
  package init(_ model: Model, in path: String) {
    (self.model, self.path) = (model, path)
  }

  /// The hashes of the entities: those that stand next to the model, else those computed from it.
  public func hashes() -> [String: Data] {
    let known = versionHashes ?? [:]
    return Dictionary(
      uniqueKeysWithValues: model.versionHashes().map { ($0, known[$0] ?? $1) })
  }

  /// The names of the entities whose hash may differ from the one of Core Data, sorted.
  ///
  /// None is among them whose hash stands next to the model.
  public var uncertainHashes: [String] {
    model.entitiesWithUncertainHash.filter { versionHashes?[$0] == nil }
  }

  /// The names of the entities whose computed hash is not the one that stands next to the model.
  public var differingHashes: [String] {
    guard let versionHashes else { return [] }
    let uncertain = Set(model.entitiesWithUncertainHash)
    return model.entitiesThatDiffer(from: versionHashes).filter { !uncertain.contains($0) }
  }
}
