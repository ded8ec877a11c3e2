import ArchiveReader
import ArchiveWriter
import DataModel
import Foundation
import GraphCore
import Stores
import Support

/// What a Core Data store says of itself and of its model (`Z_METADATA`).
package struct CoreDataMetadata: Sendable, Equatable {
  /// The version of the framework whose form new stores have: that of macOS 14 and iOS 17.
  static let frameworkVersion: Int64 = 1344
  /// The one version of the hashes that is known.
  static let hashesVersion: Int64 = 3
  /// The kind that SQLite stores say they are of.
  static let sqliteType = "SQLite"
  /// The level that all known SQLite stores have.
  static let autoVacuumLevel = "2"

  /// The name of the store: a UUID in capital letters.
  package var uuid: String
  /// True if the UUID is that of a store whose place this one takes, rather than made for it.
  package private(set) var keepsIdentity = false
  /// True if the name of the store is a UUID.
  package var hasIdentity: Bool { uuid.utf8.count == 36 && UUID(uuidString: uuid) != nil }
  /// The version of the framework that wrote the store.
  package var frameworkVersion: Int64?
  /// The version of the rules by which hashes are made.
  package var hashesVersion: Int64?
  /// For each entity its hash.
  package var versionHashes: [String: Data]
  /// True if the hashes are made by the rules that are known, so that they can be compared.
  var hasKnownHashes: Bool { hashesVersion ?? Self.hashesVersion == Self.hashesVersion }
  /// The digest of all hashes; stores from before 2019 have none.
  package var digest: String?
  /// The checksum of all hashes; stores from before 2023 have none.
  package var checksum: String?
  /// The version identifiers of the model.
  package var identifiers: [String]
  /// The kind of store: `SQLite`, `XML` or `Binary`; nil where it does not say.
  var storeType: String?
  /// The level of SQLite's auto-vacuum, as text; nil where the metadata does not say.
  var autoVacuumLevel: String?
  /// The archives that the rows came from.
  ///
  /// Core Data keeps what it does not know of the property list.
  package var archives: [Archive] = []
  /// How the conversion that made the store was done; nil for a store of another origin.
  package var conversion: ConversionRecord?
  /// What applications keep with the store, by keys of their own.
  package var applicationValues: [KeyValue] = []

  /// How a conversion was done, as far as that is needed to repeat it.
  package struct ConversionRecord: Sendable, Equatable {
    /// The options, as JSON.
    package var options: String
    /// What tells one kind of request from another.
    package var fingerprint: String
    /// The digest of the model that was given.
    package var modelDigest: String?
    /// The text of the mapping.
    package var mapping: String?

    package init(
      options: String, fingerprint: String, modelDigest: String?, mapping: String?
    ) {
      (self.options, self.fingerprint) = (options, fingerprint)
      (self.modelDigest, self.mapping) = (modelDigest, mapping)
    }
  }

  /// An archive that rows came from.
  package struct Archive: Sendable, Equatable {
    package var path: String
    package var sha256: String

    package init(path: String, sha256: String) {
      self.path = path
      self.sha256 = sha256
    }
  }

  /// Notes it in a store, which has no metadata yet.
  ///
  /// - Parameters:
  ///   - database: A connection to the store.
  ///   - schema: The name by which the connection knows it.
  /// - Throws: `StoreError`.
  package func insert(
    into database: Database, as schema: String = "main"
  ) throws(StoreError) {
    _ = try database.rows(
      "INSERT INTO \(schema).\(CoreDataLayout.metadataTable) VALUES (1, ?, ?)",
      [.text(uuid), .blob(propertyList())])
  }

  enum Key {
    static let uuid = "NSStoreUUID"
    static let frameworkVersion = "NSPersistenceFrameworkVersion"
    static let storeType = "NSStoreType"
    static let autoVacuum = "_NSAutoVacuumLevel"
    static let hashesVersion = "NSStoreModelVersionHashesVersion"
    static let hashes = "NSStoreModelVersionHashes"
    static let digest = "NSStoreModelVersionHashesDigest"
    static let checksum = "NSStoreModelVersionChecksumKey"
    static let identifiers = "NSStoreModelVersionIdentifiers"
    static let archives = "ConvertedArchives"
    static let conversion = "ConversionRecord"
    /// What the framework keeps for itself, and nobody asks for.
    static let unread: Set = [
      "NSPersistenceMaximumFrameworkVersion",
      "_NSStoreAncillaryModelVersionHashesMetadataKey",
    ]
  }

  /// The metadata of a new store.
  ///
  /// - Parameters:
  ///   - identifiers: The version identifiers of the model.
  ///   - versionHashes: The hash of each entity.
  package init(identifiers: [String], versionHashes: [String: Data]) {
    uuid = UUID().uuidString
    frameworkVersion = Self.frameworkVersion
    hashesVersion = Self.hashesVersion
    self.versionHashes = versionHashes
    digest = Model.digest(of: versionHashes)
    checksum = Model.checksum(of: versionHashes)
    self.identifiers = identifiers
    (storeType, autoVacuumLevel) = (Self.sqliteType, Self.autoVacuumLevel)
  }

  /// The metadata of a store that has nothing but its name.
  init(nameAlone name: String) {
    (uuid, versionHashes, identifiers) = (name, [:], [])
  }

  /// The metadata of a new store of a model.
  package init(of source: ModelSource) {
    self.init(
      identifiers: source.model.versionIdentifiers, versionHashes: source.hashes())
  }

  /// Reads the property list of a store.
  ///
  /// - Parameters:
  ///   - propertyList: Its bytes.
  ///   - uuid: The name of the store.
  /// - Throws: `ModelError` with the code `damagedMetadata`.
  package init(propertyList: Data, uuid: String) throws(ModelError) {
    do throws(ArchiveError) {
      let list = try PropertyList(bytes: propertyList)
      guard case .dictionary = list.table.value(of: list.top) else {
        throw ArchiveError(.wrongKind, name: "a dictionary")
      }
      let archive = KeyedArchive(plain: list)
      var reader = MetadataReader(archive.makeGraph(GraphOptions()), limits: .standard)
      self.init(values: try reader.values(ofRoots: archive.roots), uuid: uuid)
    } catch {
      // That what is wrong is no archive, or that something else could be salvaged, helps nobody here.
      let words =
        switch error.code {
        case .notAnArchive, .empty: "Z_PLIST is not a property list"
        case .truncated, .truncatedXML: "Z_PLIST is truncated"
        default: "\(error)"
        }
      throw ModelError(.damagedMetadata, name: words)
    }
    self.uuid = uuid
  }

  /// Adopts what makes a store the same one to its application: the UUID, and what the application
  /// keeps with it.
  ///
  /// No store takes the place of one that has no UUID: this one keeps its own.
  ///
  /// - Parameter other: The metadata of that store.
  package mutating func adoptIdentity(of other: CoreDataMetadata) {
    applicationValues = other.applicationValues
    guard other.hasIdentity else { return }
    keepsIdentity = true
    uuid = other.uuid
  }

  /// The metadata as a binary property list, its keys in a fixed order.
  package func propertyList() -> Data {
    var pairs: [KeyValue] = [
      KeyValue(Key.frameworkVersion, .integer(frameworkVersion ?? Self.frameworkVersion)),
      KeyValue(
        Key.hashes,
        .dictionary(
          versionHashes.sorted { $0.key.precedesInBytes($1.key) }
            .map { KeyValue($0.key, .data($0.value)) })),
    ]
    if let digest { pairs.append(KeyValue(Key.digest, .string(digest))) }
    if let checksum { pairs.append(KeyValue(Key.checksum, .string(checksum))) }
    pairs += [
      KeyValue(Key.hashesVersion, .integer(hashesVersion ?? Self.hashesVersion)),
      KeyValue(Key.identifiers, .array(identifiers.map { .string($0) })),
      KeyValue(Key.storeType, .string(Self.sqliteType)),
      KeyValue(Key.autoVacuum, .string(Self.autoVacuumLevel)),
    ]
    pairs += conversionValues + applicationValues
    return BinaryPropertyListWriter().data(for: .dictionary(pairs))
  }

  /// What a conversion has noted, by the keys under which it stands.
  var conversionValues: [KeyValue] {
    var pairs: [KeyValue] = []
    if !archives.isEmpty {
      let list = archives.map { archive -> PropertyListValue in
        ["path": .string(archive.path), "sha256": .string(archive.sha256)]
      }
      pairs.append(KeyValue(Key.archives, .array(list)))
    }
    if let conversion {
      let record: [(String, String?)] = [
        ("options", conversion.options), ("fingerprint", conversion.fingerprint),
        ("modelDigest", conversion.modelDigest), ("mapping", conversion.mapping),
      ]
      pairs.append(
        KeyValue(
          Key.conversion,
          .dictionary(record.compactMap { key, text in text.map { KeyValue(key, .string($0)) } })))
    }
    return pairs
  }
}

extension CoreDataMetadata {
  /// Makes metadata of the values that a store keeps.
  ///
  /// - Parameters:
  ///   - values: The values by their keys.
  ///   - uuid: The name of the store; that among the values, if there is one, comes first.
  package init(values: [KeyValue], uuid: String) {
    self.init(identifiers: [], versionHashes: [:])
    (self.uuid, digest, checksum) = (uuid, nil, nil)
    (frameworkVersion, hashesVersion) = (nil, nil)
    (storeType, autoVacuumLevel) = (nil, nil)
    for pair in values {
      switch (pair.key, pair.value) {
      case (Key.uuid, .string(let text)): self.uuid = text
      case (Key.frameworkVersion, .integer(let number)): frameworkVersion = number
      case (Key.hashesVersion, .integer(let number)): hashesVersion = number
      case (Key.hashes, .dictionary(let hashes)):
        for hash in hashes {
          if case .data(let bytes) = hash.value { versionHashes[hash.key] = bytes }
        }
      case (Key.storeType, let value):
        if case .string(let text) = value { storeType = text } else { storeType = "" }
      case (Key.autoVacuum, let value):
        if case .string(let text) = value { autoVacuumLevel = text } else { autoVacuumLevel = "" }
      case (Key.digest, .string(let text)): digest = text
      case (Key.checksum, .string(let text)): checksum = text
      case (Key.identifiers, .array(let elements)):
        identifiers = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
      case (Key.archives, .array(let elements)): archives = elements.compactMap { Archive($0) }
      case (Key.conversion, let value): conversion = ConversionRecord(value)
      case (let key, _) where Key.unread.contains(key): break
      default: applicationValues.append(pair)
      }
    }
  }
}

extension CoreDataMetadata.Archive {
  /// Reads what a store says of an archive; nil if it says it in another form.
  fileprivate init?(_ value: PropertyListValue) {
    guard let path = value.text(forKey: "path"), let sha256 = value.text(forKey: "sha256") else {
      return nil
    }
    self.init(path: path, sha256: sha256)
  }
}

extension CoreDataMetadata.ConversionRecord {
  /// Reads what a store says of its conversion; nil if it says it in another form.
  fileprivate init?(_ value: PropertyListValue) {
    guard let options = value.text(forKey: "options"),
      let fingerprint = value.text(forKey: "fingerprint")
    else { return nil }
    self.init(
      options: options, fingerprint: fingerprint, modelDigest: value.text(forKey: "modelDigest"),
      mapping: value.text(forKey: "mapping"))
  }
}

extension PropertyListValue {
  /// The text under a key of a dictionary; nil if there is none.
  fileprivate func text(forKey key: String) -> String? {
    guard case .dictionary(let pairs) = self,
      case .string(let text)? = pairs.first(where: { $0.key == key })?.value
    else { return nil }
    return text
  }
}
