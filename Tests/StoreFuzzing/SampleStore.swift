import ArchiveWriter
import CoreDataStores
import DataModel
import Foundation
import Stores

/// A small SQLite store that carries its model, from which damaged ones are made.
///
/// Its model has an attribute of each form, relationships of each kind, and a subentity.
package enum SampleStore {
  /// The model.
  package static let model = ModelSource(Model(entities: entities))

  private static let types: [(name: String, type: AttributeType, code: Int64)] = [
    ("amount", .decimal, 400), ("body", .binary, 1_000), ("changed", .date, 900),
    ("ease", .double, 500), ("id", .uuid, 1_100), ("isOpen", .boolean, 800),
    ("level", .integer16, 100), ("link", .uri, 1_200), ("style", .transformable, 1_800),
    ("title", .string, 700),
  ]

  private static let relationships: [(entity: String, relationship: Relationship)] = [
    ("Note", toOne("parent", "Note", inverse: "parts")),
    ("Note", toMany("parts", "Note", inverse: "parent", isOrdered: true)),
    ("Note", toMany("tags", "Tag", inverse: "notes")),
    ("Tag", toMany("notes", "Note", inverse: "tags")),
    ("Tag", toMany("wider", "Tag", inverse: "narrower")),
    ("Tag", toMany("narrower", "Tag", inverse: "wider")),
  ]

  private static func toOne(_ name: String, _ entity: String, inverse: String) -> Relationship {
    Relationship(name: name, destinations: [entity], isToMany: false, inverse: inverse)
  }

  private static func toMany(
    _ name: String, _ entity: String, inverse: String, isOrdered: Bool = false
  ) -> Relationship {
    Relationship(
      name: name, destinations: [entity], isToMany: true, isOrdered: isOrdered, inverse: inverse)
  }

  private static func relationships(of entity: String) -> [Relationship] {
    relationships.filter { $0.entity == entity }.map(\.relationship)
  }

  private static let entities = [
    Entity(
      name: "Note",
      attributes: types.map {
        Attribute(
          name: $0.name, type: $0.type, allowsExternalBinaryDataStorage: $0.name == "body")
      }, relationships: relationships(of: "Note")),
    Entity(name: "Book", parent: "Note"),
    Entity(name: "Tag", relationships: relationships(of: "Tag")),
  ]

  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZBODY, ZCHANGED, ZEASE, ZID, ZISOPEN, ZLEVEL,
        ZLINK, ZSTYLE, ZTITLE, ZPARENT, Z_FOK_PARENT) VALUES
      (1, 1, 1, 10.11, x'01AABB', 0.5, 2.5, x'000102030405060708090A0B0C0D0E0F', 1, -3, 'http://a/b',
        x'62706C697374', 'Grüße', NULL, NULL),
      (2, 2, 1, 'NaN', x'024142', 7, 2, NULL, 0, 9, NULL, NULL, '', 1, 3072),
      (4, 1, 1, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, 2048);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 3, 1);
    INSERT INTO Z_1TAGS SELECT 1, 1 UNION SELECT 1, 2 UNION SELECT 4, 2;
    INSERT INTO Z_3WIDER (Z_3NARROWER, Z_3WIDER) VALUES (1, 2);
    INSERT INTO Z_3NARROWER (Z_3NARROWER, Z_3WIDER) VALUES (1, 2);
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER);
    INSERT INTO ACHANGE VALUES (1, 1);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Note';
    UPDATE Z_METADATA SET Z_UUID = 'B4FC79D0-E654-43EF-9020-A5273B3F104A';
    """

  /// Makes the store in an empty file.
  ///
  /// Its pages are small, and the model in it is not compressed, so that a changed byte changes
  /// what is read.
  package static func make(at path: String) throws {
    try CoreDataStoreCreator(layout: CoreDataLayout(model.model), source: model).create(at: path)
    let database = try Database(path: path)
    try database.execute(rows)
    _ = try database.rows("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(stored(compiledModel()))])
    try database.execute("PRAGMA auto_vacuum = NONE; PRAGMA page_size = 512; VACUUM;")
  }

  /// Raw deflate that holds bytes as they are: a stored block (RFC 1951, 3.2.4).
  package static func stored(_ bytes: Data) -> Data {
    let count = UInt16(truncatingIfNeeded: bytes.count)
    let head: [UInt8] = [1] + [count, ~count].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return head + bytes.prefix(Int(count))
  }

  /// The compiled model: a keyed archive as in a `.mom` file.
  package static func compiledModel() -> Data {
    KeyedArchiveBuilder.archive { archive in
      var slots: [String: KeyedArchiveBuilder.Slot] = [:]
      for entity in entities { slots[entity.name] = archive.reserve() }
      for entity in entities {
        var pairs = [KeyValue("NSEntityName", archive.string(entity.name))]
        if let parent = entity.parent.flatMap({ slots[$0] }) {
          pairs.append(KeyValue("NSSuperentity", parent.reference))
        }
        pairs.append(KeyValue("NSProperties", properties(of: entity, in: &archive)))
        if let slot = slots[entity.name] {
          archive.fill(slot, className: "NSEntityDescription", pairs)
        }
      }
      let all = archive.dictionary(
        keys: entities.map { archive.string($0.name) },
        values: entities.compactMap { slots[$0.name]?.reference })
      return archive.instance(of: "NSManagedObjectModel", ["NSEntities": all])
    }.binary()
  }

  private static func properties(
    of entity: Entity, in archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    var keys: [PropertyListValue] = []
    var values: [PropertyListValue] = []
    for attribute in entity.attributes {
      let name = archive.string(attribute.name)
      let code = types.first { $0.name == attribute.name }?.code ?? 0
      keys.append(name)
      values.append(
        archive.instance(
          of: "NSAttributeDescription",
          [
            "NSPropertyName": name, "NSAttributeType": .integer(code), "NSIsOptional": true,
            "NSFlagsKey": attribute.allowsExternalBinaryDataStorage ? 4 : 0,
          ]))
    }
    for relationship in entity.relationships {
      let name = archive.string(relationship.name)
      keys.append(name)
      values.append(
        archive.instance(
          of: "NSRelationshipDescription",
          [
            "NSPropertyName": name, "NSIsOptional": true,
            "NSIsOrdered": .bool(relationship.isOrdered),
            "NSMaxCount": relationship.isToMany ? 0 : 1, "NSDeleteRule": 1,
            "_NSDestinationEntityName": archive.string(relationship.destinations.first ?? ""),
            "_NSInverseRelationshipName": archive.string(relationship.inverse ?? ""),
          ]))
    }
    return archive.dictionary(keys: keys, values: values)
  }
}
