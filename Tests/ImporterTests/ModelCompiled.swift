import ArchiveWriter
import Foundation

/// Made compiled models.
enum CompiledModel {
  /// A model with one entity that has no properties.
  static func empty(entity: String) -> KeyedArchiveBuilder {
    .archive { archive in
      let description = archive.instance(
        of: "NSEntityDescription", ["NSEntityName": archive.string(entity)])
      return archive.instance(
        of: "NSManagedObjectModel",
        ["NSEntities": archive.dictionary([archive.string(entity): description])])
    }
  }

  /// A model with one entity "A" and in it one property "x".
  static func property(
    _ className: String, _ pairs: [KeyValue], entity: [KeyValue] = []
  ) -> KeyedArchiveBuilder {
    .archive { archive in
      let slot = archive.reserve()
      let name = archive.string("x")
      let property = archive.instance(
        of: className,
        [
          KeyValue("NSPropertyName", name), KeyValue("NSEntity", slot.reference),
          KeyValue("NSDestinationEntity", slot.reference),
        ] + pairs)
      let properties = archive.dictionary([name: property], className: "NSMutableDictionary")
      archive.fill(
        slot, className: "NSEntityDescription",
        [
          KeyValue("NSEntityName", archive.string("A")), KeyValue("NSProperties", properties),
        ] + entity)
      return archive.instance(
        of: "NSManagedObjectModel",
        ["NSEntities": archive.dictionary([archive.string("A"): slot.reference])])
    }
  }

  /// The XML twin of `library()`.
  static let libraryXML = ModelXML.document(
    """
    <entity name="Thing" isAbstract="YES" elementID="Object">
      <attribute name="name" attributeType="String" defaultValueString="?" elementID="title"/>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
      </uniquenessConstraints>
    </entity>
    <entity name="Book" parentEntity="Thing" versionHashModifier="5">
      <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="12.50"/>
      <attribute name="isNew" attributeType="Boolean" defaultValueString="NO"/>
      <attribute name="weight" attributeType="Float" defaultValueString="0.1"/>
      <attribute name="printed" attributeType="Date" defaultDateTimeInterval="86400"/>
      <attribute name="key" attributeType="UUID"
        defaultValueString="00010203-0405-0607-0809-0A0B0C0D0E0F"/>
      <attribute name="page" attributeType="URI" defaultValueString="http://example.com/a"/>
      <attribute name="scan" optional="YES" attributeType="Binary"
        allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES"/>
      <attribute name="colors" optional="YES" transient="YES" attributeType="Transformable"
        valueTransformerName="Colors" defaultValueString="?"/>
      <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES"/>
      <relationship name="pages" optional="YES" toMany="YES" minCount="1" ordered="YES"
        deletionRule="Cascade" destinationEntity="Page" inverseName="book"/>
    </entity>
    <entity name="Page">
      <relationship name="book" deletionRule="Deny" maxCount="1" destinationEntity="Book"
        inverseName="pages" versionHashModifier="b"/>
    </entity>
    """, attributes: "userDefinedModelVersionIdentifier=\"v1\"")

  /// A model with inheritance by a proxy, an inverse pair and all kinds of values.
  static func library() throws -> KeyedArchiveBuilder {
    try .archive { archive in
      let (thing, book, page) = (archive.reserve(), archive.reserve(), archive.reserve())
      let (pages, back) = (archive.reserve(), archive.reserve())

      let name = attribute(
        &archive, "name", 700,
        [
          KeyValue("NSDefaultValue", archive.mutableString("?")),
          KeyValue("NSRenamingIdentifier", archive.string("title")),
          KeyValue("NSVersionHashModifier", .uid(0)),
        ])
      let tuple = archive.mutableArray([name])
      archive.fill(
        thing, className: "NSEntityDescription",
        [
          KeyValue("NSEntityName", archive.string("Thing")), KeyValue("NSIsAbstract", true),
          KeyValue("NSRenamingIdentifier", archive.string("Object")),
          KeyValue("NSSuperentity", .uid(0)), KeyValue("NSUniqueTuples", archive.array([tuple])),
          KeyValue(
            "NSProperties", archive.dictionary([archive.string("name"): name])),
        ])

      let proxy = archive.instance(
        of: "_NSPropertyDescriptionProxy",
        ["NSEntityDescription": book.reference, "NSUnderlyingProperty": name])
      let scan = attribute(&archive, "scan", 1000, [KeyValue("NSFlagsKey", 20), KeyValue("_P", 2)])
      let colors = attribute(
        &archive, "colors", 1800,
        [
          KeyValue("NSValueTransformerName", archive.string("Colors")),
          KeyValue("NSDefaultValue", archive.instance(of: "AppColors", ["a": 1])),
          KeyValue("NSIsTransient", true), KeyValue("NSIsOptional", true),
        ])
      let count = attribute(
        &archive, "count", 300, [KeyValue("NSIsOptional", true)],
        className: "NSDerivedAttributeDescription")
      let found = archive.instance(
        of: "NSFetchedPropertyDescription", ["NSPropertyName": archive.string("found")])
      let own = [
        ("name", proxy), ("scan", scan), ("colors", colors), ("count", count), ("found", found),
        ("pages", pages.reference),
      ]
      let properties = own + (try defaults(&archive))
      let mapping = archive.dictionary(
        keys: properties.map { archive.string($0.0) }, values: properties.map(\.1),
        className: "NSMutableDictionary")
      archive.fill(
        book, className: "NSEntityDescription",
        [
          KeyValue("NSEntityName", archive.string("Book")),
          KeyValue("NSRenamingIdentifier", archive.string("Book")),
          KeyValue("NSVersionHashModifier", archive.string("5")),
          KeyValue("NSSuperentity", thing.reference), KeyValue("NSProperties", mapping),
        ])
      archive.fill(
        page, className: "NSEntityDescription",
        [
          KeyValue("NSEntityName", archive.string("Page")),
          KeyValue("NSRenamingIdentifier", archive.mutableString("")),
          KeyValue(
            "NSProperties", archive.dictionary([archive.string("book"): back.reference])),
        ])

      archive.fill(
        pages, className: "NSRelationshipDescription",
        hierarchy: ["NSRelationshipDescription", "NSPropertyDescription", "NSObject"],
        [
          "NSPropertyName": archive.string("pages"), "NSIsOptional": true, "NSIsOrdered": true,
          "NSMinCount": 1, "NSMaxCount": 0, "NSDeleteRule": 2,
          "NSDestinationEntity": page.reference, "NSInverseRelationship": back.reference,
        ])
      archive.fill(
        back, className: "AppRelationship",
        hierarchy: ["AppRelationship", "NSRelationshipDescription", "NSObject"],
        [
          "NSPropertyName": archive.string("book"), "NSMaxCount": 1, "NSDeleteRule": 3,
          "_NSDestinationEntityName": archive.string("Book"),
          "_NSInverseRelationshipName": archive.string("pages"),
          "NSVersionHashModifier": archive.string("b"),
        ])
      let entities = [("Thing", thing), ("Book", book), ("Page", page)]
      return model(&archive, entities.map { ($0.0, $0.1.reference) })
    }
  }

  /// Attributes whose default values are objects of other kinds.
  private static func defaults(
    _ archive: inout KeyedArchiveBuilder
  ) throws -> [(String, PropertyListValue)] {
    let bytes = (0 as UInt8)..<16
    let uuid = archive.instance(of: "NSUUID", ["NS.uuidbytes": .data(Data(bytes))])
    let values: [(String, Int64, PropertyListValue)] = [
      ("price", 400, try archive.decimal("12.50")), ("isNew", 800, archive.number(0)),
      ("weight", 600, archive.number(Double(Float(0.1)))),
      ("printed", 900, archive.date(secondsSince2001: 86400)), ("key", 1100, uuid),
      ("page", 1200, archive.url("a", base: archive.url("http://example.com/"))),
    ]
    return values.map { name, code, value in
      let isOptional = KeyValue("NSIsOptional", .bool(name == "price"))
      let pairs = [KeyValue("NSDefaultValue", value), isOptional]
      return (name, attribute(&archive, name, code, pairs))
    }
  }

  private static func attribute(
    _ archive: inout KeyedArchiveBuilder, _ name: String, _ code: Int64, _ pairs: [KeyValue],
    className: String = "NSAttributeDescription"
  ) -> PropertyListValue {
    archive.instance(
      of: className,
      hierarchy: [className, "NSAttributeDescription", "NSPropertyDescription", "NSObject"],
      [
        KeyValue("NSPropertyName", archive.string(name)),
        KeyValue("NSAttributeType", .integer(code)),
      ] + pairs)
  }

  /// The model, its entities in a dictionary with known keys and one empty slot.
  private static func model(
    _ archive: inout KeyedArchiveBuilder, _ entities: [(String, PropertyListValue)]
  ) -> PropertyListValue {
    let keys = archive.array(entities.map { archive.string($0.0) } + [archive.string("Empty")])
    let values = archive.array(entities.map(\.1) + [archive.string("__empty_slot_token__")])
    let mapping = archive.instance(
      of: "NSKnownKeysMappingStrategy1", ["keys": keys, "length": .integer(4)])
    let dictionary = archive.instance(
      of: "NSKnownKeysDictionary1", ["searchMapping": mapping, "values": values, "version": 1])
    let identifiers = archive.set([archive.string("v1")])
    return archive.instance(
      of: "NSManagedObjectModel", ["NSEntities": dictionary, "NSVersionIdentifiers": identifiers])
  }
}
