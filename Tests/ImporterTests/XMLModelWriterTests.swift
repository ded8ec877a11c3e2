import Foundation
import Importer
import TestSupport
import Testing

@Suite("Writing models")
struct XMLModelWriterTests {
  /// A model with all that Core Data has words for, sorted as the reader sorts it.
  private static let everything = Model(
    entities: [
      Entity(
        name: "Base", className: "BaseObject", isAbstract: true,
        attributes: [
          Attribute(name: "key", type: .string, isOptional: false, minimum: 1, maximum: 20),
          Attribute(name: "rank", type: .integer16, defaultValue: .integer(-7)),
        ],
        relationships: [
          Relationship(name: "owner", destinations: ["Base"], isToMany: false, inverse: "owned"),
          Relationship(
            name: "owned", destinations: ["Base"], isToMany: true, isOrdered: true,
            inverse: "owner", isOptional: false, minimumCount: 2, maximumCount: 5,
            deleteRule: .cascade),
        ].sorted { $0.name < $1.name },
        uniquenessConstraints: [["key"], ["key", "owner"]], versionHashModifier: "3"),
      Entity(
        name: "Thing", parent: "Base",
        attributes: [
          Attribute(name: "big", type: .integer, minimum: -5, maximum: 9.223372036854775807e18),
          Attribute(
            name: "bytes", type: .binary, allowsExternalBinaryDataStorage: true,
            preservesAfterDeletion: true),
          Attribute(
            name: "code", type: .string, defaultValue: .string(""), pattern: "[a-z]+\t<&>\"'"),
          Attribute(name: "count", type: .integer32, isOptional: false, defaultValue: .integer(0)),
          Attribute(
            name: "date", type: .date, defaultValue: .date(-0.5), minimum: -978_307_200,
            maximum: 1e9),
          Attribute(name: "flag", type: .boolean, isOptional: false, defaultValue: .boolean(false)),
          Attribute(
            name: "identifier", type: .uuid,
            defaultValue: .string("3F2504E0-4F89-41D3-9A0C-0305E82C3301")),
          Attribute(name: "link", type: .uri, defaultValue: .string("https://example.org/?a&b")),
          Attribute(name: "open", type: .undefined, isTransient: true),
          Attribute(name: "parts", type: .composite),
          Attribute(
            name: "price", type: .decimal, defaultValue: .decimal("12.5"), minimum: 0.1,
            maximum: 1e-7),
          Attribute(name: "real", type: .double, defaultValue: .double(1e300)),
          Attribute(name: "reference", type: .objectID),
          Attribute(name: "single", type: .float, defaultValue: .double(Double(Float(0.1)))),
          Attribute(name: "text", type: .string, defaultValue: .string(" a\r\n\tü🌱 ")),
          Attribute(name: "total", type: .integer, isDerived: true),
          Attribute(
            name: "value", type: .transformable, valueTransformerName: "Colors",
            renamingIdentifier: "colour", versionHashModifier: "x"),
        ],
        relationships: [
          Relationship(
            name: "last", destinations: ["Thing"], isToMany: false, isOptional: false,
            isTransient: true, minimumCount: 1, deleteRule: .noAction,
            renamingIdentifier: "latest", versionHashModifier: "y"),
          Relationship(name: "rest", destinations: ["Base"], isToMany: true, deleteRule: .deny),
        ],
        renamingIdentifier: "Object"),
    ], versionIdentifiers: ["v \"3\""])

  @Test("A model that is written and read again is the same")
  func everything() throws {
    let written = try ModelXML.model(XMLModelWriter(Self.everything).contents())
    #expect(written == Self.everything)
    #expect(written.versionHashes() == Self.everything.versionHashes())
    #expect(try ModelXML.model(XMLModelWriter(Model()).contents()) == Model())
  }

  @Test("What Core Data has no word for is in the user info")
  func extensions() {
    let model = Model(entities: [
      Entity(
        name: "Note", archivedClasses: ["MTNote"],
        attributes: [
          Attribute(name: "any", type: .mixed, isOptional: false),
          Attribute(name: "hash", key: "MT.hash", type: .double, holdsNegativeZero: true),
          Attribute(name: "owner", type: .string),
        ],
        relationships: [
          Relationship(name: "owner", destinations: ["Note", "Tag"], isToMany: false),
          Relationship(
            name: "Tags", destinations: ["Tag"], isToMany: true, inverse: "notes",
            distinguishesEmpty: true),
        ],
        collections: [
          ValueCollection(
            name: "names", key: "$$names", isOrdered: false, keyType: .string,
            hasReferencesAsKeys: false, valueType: .mixed, hasReferencesAsValues: true,
            holdsNegativeZero: true, distinguishesEmpty: true)
        ]),
      Entity(
        name: "Tag", archivedClasses: ["Tag"],
        relationships: [
          Relationship(name: "notes", destinations: ["Note"], isToMany: true, inverse: "Tags")
        ]),
    ])
    #expect(
      XMLModelWriter(model).contents() == """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
        lastSavedToolsVersion="1" systemVersion="11A491" minimumToolsVersion="Automatic" \
        sourceLanguage="Swift">
            <entity name="Note" syncable="YES">
                <attribute name="any" optional="YES" attributeType="Transformable" \
        valueTransformerName="NSSecureUnarchiveFromData">
                    <userInfo>
                        <entry key="archivedType" value="mixed"/>
                    </userInfo>
                </attribute>
                <attribute name="hash_" optional="YES" attributeType="Double" \
        usesScalarValueType="NO" elementID="hash">
                    <userInfo>
                        <entry key="archivedKey" value="MT.hash"/>
                        <entry key="keepNegativeZero" value="YES"/>
                    </userInfo>
                </attribute>
                <attribute name="names" optional="YES" attributeType="Transformable" \
        valueTransformerName="NSSecureUnarchiveFromData" customClassName="NSDictionary" \
        elementID="$$names">
                    <userInfo>
                        <entry key="archivedKey" value="$$names"/>
                        <entry key="collection" value="string to mixed or references"/>
                        <entry key="keepCount" value="YES"/>
                        <entry key="keepNegativeZero" value="YES"/>
                    </userInfo>
                </attribute>
                <attribute name="owner" optional="YES" attributeType="String"/>
                <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Tag" inverseName="notes" inverseEntity="Tag" elementID="Tags">
                    <userInfo>
                        <entry key="archivedKey" value="Tags"/>
                        <entry key="keepCount" value="YES"/>
                    </userInfo>
                </relationship>
                <userInfo>
                    <entry key="archivedClasses" value="MTNote"/>
                    <entry key="relationship owner_2" value="to-one, to Note, Tag"/>
                </userInfo>
            </entity>
            <entity name="Tag" syncable="YES">
                <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
            </entity>
        </model>

        """)
  }

  @Test("An inverse that does not lead back, or leads to what is left out, is left out")
  func inverses() throws {
    let model = Model(entities: [
      Entity(
        name: "A",
        relationships: [
          Relationship(name: "one", destinations: ["B"], isToMany: false, inverse: "many"),
          Relationship(name: "two", destinations: ["B"], isToMany: false, inverse: "other"),
        ]),
      Entity(
        name: "B",
        relationships: [
          Relationship(name: "many", destinations: ["A", "B"], isToMany: true, inverse: "one"),
          Relationship(name: "other", destinations: ["A"], isToMany: true),
        ]),
    ])
    let written = try ModelXML.model(XMLModelWriter(model).contents())
    #expect(written.entities.map { $0.relationships.map(\.name) } == [["one", "two"], ["other"]])
    #expect(written.entities.flatMap(\.relationships).allSatisfy { $0.inverse == nil })
  }

  @Test("A folder is written whole, with the name of its version")
  func folder() throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "Notes & more.xcdatamodeld")
    try XMLModelWriter(Self.everything).write(to: "\(path)/")
    #expect(try folder.names() == ["Notes & more.xcdatamodeld"])
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: path).sorted() == [
        ".xccurrentversion", "Notes & more.xcdatamodel", "Notes & more.xcdatamodel/contents",
      ])
    #expect(try Model(contentsOf: path) == Self.everything)
  }

  @Test("What is there already stays as it is")
  func existing() throws {
    let folder = try TemporaryFolder()
    let writer = XMLModelWriter(Self.everything)
    for name in ["a.xcdatamodeld/file", "b.xcdatamodeld"] {
      try folder.write("x", to: name)
      let path = folder.file(named: String(name.prefix { $0 != "/" }))
      let error = #expect(throws: ModelError.self) { try writer.write(to: path) }
      #expect(error?.code == .unwritable)
      #expect(error?.path == path)
      #expect(try String(contentsOfFile: folder.file(named: name), encoding: .utf8) == "x")
    }
    #expect(throws: ModelError.self) {
      try writer.write(to: folder.file(named: "none/c.xcdatamodeld"))
    }
    #expect(try folder.names() == ["a.xcdatamodeld", "b.xcdatamodeld"])
  }
}

@Suite(
  "Writing real Core Data models",
  .enabled(if: CoreDataStorePair.folder != nil, "the folder of real stores is absent"))
struct XMLModelWriterConformanceTests {
  @Test("A model that is written and read again is the same", arguments: CoreDataStorePair.all)
  func roundTrip(_ pair: CoreDataStorePair) throws {
    for path in [pair.xmlModel, pair.compiledModel].compactMap({ $0 }) {
      var model = try Model(contentsOf: path)
      let written = try ModelXML.model(XMLModelWriter(model).contents())
      // A compiled model that was merged has several.
      if model.versionIdentifiers == ["", "3"] { model.versionIdentifiers = ["3"] }
      // One that a program built has an index to which a compiler adds another.
      for place in model.entities.indices where pair.name == "apple-browsers-Database" {
        guard model.entities[place].fetchIndexes.map(\.name) == ["domainIndex"] else { continue }
        let added = FetchIndex(name: "domain", elements: [.init(property: "domain")])
        model.entities[place].fetchIndexes.insert(added, at: 0)
      }
      #expect(written == model, "\(path)")
      #expect(written.versionHashes() == model.versionHashes(), "\(path)")
    }
  }
}
