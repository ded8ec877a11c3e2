import ArchiveReader
import Converter
import Foundation
import Support

extension ConvertCommand.Inspect {
  /// The form of `convert inspect --json`: see Documentation/cli.md.
  struct JSON: Encodable {
    struct Class: Encodable {
      var name: String
      var count: Int
      /// The name in Swift, where that is another one.
      var plainName: String?
      var version: Int64?
      var hierarchy: [String]
      var keys: [Key]
    }

    struct Key: Encodable {
      var key: String
      var count: Int
      var types: [String]
      var least: Double?
      var greatest: Double?
    }

    /// A UID, or the kind of a value that is in `$top` itself.
    enum TopValue: Encodable {
      case uid(Int)
      case inline(String)

      private enum CodingKeys: String, CodingKey {
        case uid
        case type
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .uid(let uid): try container.encode(uid, forKey: .uid)
        case .inline(let type): try container.encode(type, forKey: .type)
        }
      }
    }

    var path: String
    var format: String
    var archiver: String
    var version: Int64
    var top: [String: TopValue] = [:]
    /// This and what follows is unknown of a Core Data store without its model, but for the objects
    /// of most.
    var objects: Int?
    var reachable: Int?
    var references: Int?
    var cyclic: Bool?
    var classes: [Class]?
    var store: StoreJSON?
    /// The archives in the columns of a database.
    var columns: [Column]?

    struct Column: Encodable {
      var table: String
      var column: String
      var format: String
      /// True if they are in the data of the archives in the column.
      var inside: Bool
      var values: Int
      var bytes: Int
    }

    init(_ path: String, _ source: any GraphSource, _ inspection: ArchiveInspection) {
      self.path = path
      format = source.format.rawValue
      archiver = source.archiver
      version = source.version
      let entries = inspection.top.map { key, value -> (String, TopValue) in
        switch value {
        case .uid(let uid): (key, .uid(uid))
        case .inline(let type): (key, .inline(type))
        }
      }
      top = Dictionary(entries, uniquingKeysWith: { first, _ in first })
      objects = inspection.objects
      reachable = inspection.reachable
      references = inspection.references
      cyclic = inspection.isCyclic
      classes = inspection.classes.map { record in
        Class(
          name: record.name, count: record.count, plainName: record.plainName,
          version: record.version, hierarchy: record.hierarchy,
          keys: record.keys.map { key in
            Key(
              key: key.key, count: key.count, types: key.types, least: key.bounds?.least,
              greatest: key.bounds?.greatest)
          })
      }
      store = (source as? any CoreDataSource).map { StoreJSON(StoreInspection($0)) }
      columns = (source as? DatabaseSource)?.contents.map { content in
        Column(
          table: content.table, column: content.column, format: content.format,
          inside: content.isInner, values: content.count, bytes: content.bytes)
      }
    }

    /// A Core Data store without its model.
    init(_ path: String, _ store: StoreInspection) {
      self.path = path
      format = store.format.rawValue
      archiver = "Core Data"
      version = store.metadata.frameworkVersion ?? 0
      objects = store.objects
      self.store = StoreJSON(store)
    }

    func text() throws -> String { try JSONDocument.text(of: self) }
  }
}

extension ConvertCommand.Inspect {
  /// The output of `convert inspect --json` for a Core Data store: see Documentation/cli.md.
  struct StoreJSON: Encodable {
    struct Model: Encodable {
      /// The path of the file that it was read from; nil for the model that the store carries.
      var path: String?
    }

    struct Value: Encodable {
      var key: String
      var type: String
    }

    struct Entity: Encodable {
      var name: String
      var parent: String?
      var abstract: Bool?
      var objects: Int?
      var versionHash: String?
    }

    struct Remainder: Encodable {
      var table: String
      var kind: String
      var rows: Int
    }

    var uuid: String?
    var frameworkVersion: Int64?
    var frameworkRelease: String?
    var versionIdentifiers: [String]
    var model: Model?
    var metadata: [Value]
    var entities: [Entity]
    var leftOut: [Remainder]
    var notes: [String]

    init(_ store: StoreInspection) {
      let metadata = store.metadata
      uuid = metadata.uuid.isEmpty ? nil : metadata.uuid
      frameworkVersion = metadata.frameworkVersion
      frameworkRelease = store.frameworkRelease
      versionIdentifiers = metadata.identifiers
      model =
        switch store.model {
        case .store: Model()
        case .file(let path): Model(path: path)
        case nil: nil
        }
      self.metadata = store.metadataValues.map { Value(key: $0.key, type: $0.type) }
      entities = store.entities.map { entity in
        Entity(
          name: entity.name, parent: entity.parent, abstract: entity.isAbstract,
          objects: entity.objects,
          versionHash: metadata.versionHashes[entity.name]?.base64EncodedString())
      }
      leftOut = store.leftOut.map {
        Remainder(table: $0.name, kind: $0.kind.rawValue, rows: $0.rows)
      }
      notes = store.notes.map(\.description)
    }
  }
}
