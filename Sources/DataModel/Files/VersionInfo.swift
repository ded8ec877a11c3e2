import ArchiveReader
import Foundation

/// The versions of a model, as the `VersionInfo.plist` of an `.momd` folder lists them.
public struct VersionInfo: Sendable, Equatable {
  static let fileName = "VersionInfo.plist"

  /// The name of the current version (`NSManagedObjectModel_CurrentVersionName`).
  public var currentVersion: String?
  /// For each version the hashes of its entities (`NSManagedObjectModel_VersionHashes`).
  public var versionHashes: [String: [String: Data]]
  /// For each version its checksum, in base64 (`NSManagedObjectModel_VersionChecksums`).
  public var versionChecksums: [String: String]

  /// Creates version information.
  public init(
    currentVersion: String? = nil, versionHashes: [String: [String: Data]] = [:],
    versionChecksums: [String: String] = [:]
  ) {
    self.currentVersion = currentVersion
    self.versionHashes = versionHashes
    self.versionChecksums = versionChecksums
  }

  /// Reads the file in an `.momd` folder.
  public init(contentsOf folder: String) throws(ModelError) {
    let list = try Fields(contentsOf: "\(folder)/\(Self.fileName)")
    currentVersion = list.string("NSManagedObjectModel_CurrentVersionName")
    versionHashes = [:]
    for (version, entities) in list.dictionary("NSManagedObjectModel_VersionHashes") {
      var hashes: [String: Data] = [:]
      for (entity, hash) in list.pairs(of: entities) { hashes[entity] = list.data(hash) }
      versionHashes[version] = hashes
    }
    versionChecksums = [:]
    for (version, value) in list.dictionary("NSManagedObjectModel_VersionChecksums") {
      versionChecksums[version] = list.string(value)
    }
  }
}

extension VersionInfo {
  /// A small property list that is a dictionary.
  struct Fields {
    private let list: PropertyList
    private let pairs: [(key: String, value: Node.Value)]

    init(contentsOf path: String) throws(ModelError) {
      do throws(ArchiveError) {
        if let found = Self(try PropertyList(contentsOf: path)) {
          self = found
          return
        }
      } catch {
        throw ModelError(.damagedVersionInfo, path: path, name: "\(error)")
      }
      throw ModelError(.damagedVersionInfo, path: path, name: "it is not a dictionary")
    }

    private init?(_ list: PropertyList) {
      guard case .dictionary = list.table.value(of: list.top) else { return nil }
      self.list = list
      pairs = Self.pairs(of: list.table.value(of: list.top), in: list)
    }

    /// The value under a key.
    func value(_ key: String) -> Node.Value? { pairs.first { $0.key == key }?.value }

    /// The text under a key.
    func string(_ key: String) -> String? {
      pairs.first { $0.key == key }.flatMap { string($0.value) }
    }

    /// The pairs of the dictionary under a key; none where there is no dictionary.
    func dictionary(_ key: String) -> [(key: String, value: Node.Value)] {
      pairs.first { $0.key == key }.map { pairs(of: $0.value) } ?? []
    }

    func pairs(of value: Node.Value) -> [(key: String, value: Node.Value)] {
      Self.pairs(of: value, in: list)
    }

    func string(_ value: Node.Value) -> String? {
      guard case .text(let text) = value else { return nil }
      return withExtendedLifetime(list) { list.table.string(text) }
    }

    func data(_ value: Node.Value) -> Data? {
      guard case .data(let range) = value else { return nil }
      return withExtendedLifetime(list) { unsafe Data(list.table.bytes(range)) }
    }

    private static func pairs(
      of value: Node.Value, in list: PropertyList
    ) -> [(key: String, value: Node.Value)] {
      guard case .dictionary(let keys, let values) = value else { return [] }
      return withExtendedLifetime(list) {
        (0..<keys.count).compactMap { place in
          list.table.string(at: list.table[keys, place]).map {
            ($0, list.table.value(of: list.table[values, place]))
          }
        }
      }
    }
  }
}
