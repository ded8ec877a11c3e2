import Converter
import Foundation

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
