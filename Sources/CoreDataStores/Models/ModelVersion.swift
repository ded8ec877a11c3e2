import DataModel
import Foundation
import Support

/// A version of a Core Data model.
public struct ModelVersion: Sendable {
  /// The name of the version: of its file or folder, without the ending.
  public var name: String
  /// The path of the file that it was read from.
  public var path: String
  /// The model, with the hashes and the compiled form that stand next to it.
  public var source: ModelSource
  /// True if its folder of versions names it as the current one, or it is the only one there.
  public var isCurrent: Bool
  /// True if a store carries the version: the hashes beside it are those of the store's rows, and
  /// need not be those of the model, which is that of the program that wrote last.
  package internal(set) var isCarriedByStore = false
  /// The mapping model that embeds it, and on which side; nil for a version in a file of its own.
  package var embedding: Embedding?

  /// The place of a version that is embedded in a mapping model.
  package struct Embedding: Sendable, Hashable {
    /// The name of the mapping model.
    package var mapping: String
    /// The role of the version in the mapping model.
    package var role: EmbeddedModel.Role

    package init(mapping: String, role: EmbeddedModel.Role) {
      self.mapping = mapping
      self.role = role
    }
  }

  /// Creates a version.
  public init(name: String, path: String, source: ModelSource, isCurrent: Bool = false) {
    self.name = name
    self.path = path
    self.source = source
    self.isCurrent = isCurrent
  }
}

extension ModelVersion {
  /// Merges versions of several models into one of the model that these make up.
  ///
  /// - Parameter versions: The versions, one at least.
  /// - Throws: `ModelError` if they declare an entity differently.
  package init(merging versions: [ModelVersion]) throws(ModelError) {
    if let only = versions.first, versions.count == 1 {
      self = only
      return
    }
    self.init(
      name: versions.map(\.name).joined(separator: " + "), path: versions.first?.path ?? "",
      source: try ModelSource(
        merging: versions.map { version in
          var source = version.source
          if version.isCarriedByStore { source.versionHashes = nil }
          return source
        }))
  }

  /// The hashes of its entities: those that Core Data computed, else those computed from the model.
  package var hashes: [String: Data] {
    isCarriedByStore ? source.model.versionHashes() : source.hashes()
  }

  /// The names of the entities whose hash in `hashes` may differ from the one of Core Data, sorted.
  package var uncertainHashes: [String] {
    isCarriedByStore ? source.model.entitiesWithUncertainHash : source.uncertainHashes
  }
}

extension ModelVersion: CustomStringConvertible {
  /// The name in quotes, with the mapping model that embeds the version.
  public var description: String {
    guard let embedding else { return "'\(name)'" }
    return "'\(name)' (the \(embedding.role.rawValue) of '\(embedding.mapping)')"
  }

  /// The name next to another version: with the path if both have one name; nil if it is that
  /// version, read from the same file.
  func name(beside other: ModelVersion) -> String? {
    guard description == other.description else { return description }
    let file = FileIdentity(path: path)
    guard path != other.path, file == nil || file != FileIdentity(path: other.path) else {
      return nil
    }
    return "\(description) (\(path))"
  }
}
