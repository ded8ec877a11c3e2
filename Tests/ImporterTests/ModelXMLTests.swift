import Importer
import TestSupport
import Testing

@Suite("XML models")
struct ModelXMLTests {
  @Test(
    "Types of attributes",
    arguments: [
      ("Integer 16", .integer16), ("Integer 32", .integer32), ("Integer 64", .integer),
      ("Decimal", .decimal), ("Double", .double), ("Float", .float), ("String", .string),
      ("Boolean", .boolean), ("Date", .date), ("Binary", .binary), ("UUID", .uuid), ("URI", .uri),
      ("Transformable", .transformable), ("Composite", .composite), ("Undefined", .undefined),
    ] as [(String, AttributeType)])
  func types(name: String, type: AttributeType) throws {
    #expect(
      try ModelXML.attribute("attributeType=\"\(name)\"")
        == Attribute(name: "value", type: type, isOptional: false))
  }

  @Test("An attribute without a type leaves it open")
  func undefinedType() throws {
    #expect(try ModelXML.attribute("transient=\"YES\"")?.type == .undefined)
  }

  @Test(
    "Default values",
    arguments: [
      ("Boolean", "YES", .boolean(true)), ("Boolean", "NO", .boolean(false)),
      ("Boolean", "", nil), ("Integer 16", "0", .integer(0)), ("Integer 32", "-7", .integer(-7)),
      ("Integer 64", "9223372036854775807", .integer(.max)), ("Integer 16", "1.0", .integer(1)),
      ("Integer 16", "", nil), ("Double", "0.1", .double(0.1)), ("Double", "1e3", .double(1000)),
      ("Float", "0.1", .double(Double(Float(0.1)))), ("Decimal", "12.50", .decimal("12.5")),
      ("Decimal", "-0.0", .decimal("0")), ("Decimal", "+1e3", .decimal("1000")),
      ("Decimal", "-.5", .decimal("-0.5")), ("Decimal", "1E-2", .decimal("0.01")),
      ("String", "Milk", .string("Milk")), ("String", "", .string("")),
      ("URI", "http://example.com", .string("http://example.com")),
      (
        "UUID", "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        .string("6BA7B810-9DAD-11D1-80B4-00C04FD430C8")
      ),
      ("Date", "yesterday", .other), ("Transformable", "?", .other),
    ] as [(String, String, AttributeDefault?)])
  func defaults(type: String, text: String, value: AttributeDefault?) throws {
    let attribute = try ModelXML.attribute(
      "attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
    #expect(attribute != nil)
    #expect(attribute?.defaultValue == value)
  }

  @Test("Dates: default and limits are seconds since 2001")
  func dates() throws {
    let attribute = try ModelXML.attribute(
      """
      attributeType="Date" defaultDateTimeInterval="-0.5" minDateTimeInterval="-978307200" \
      maxDateTimeInterval="1e9" minValueString="x"
      """)
    #expect(
      attribute
        == Attribute(
          name: "value", type: .date, isOptional: false, defaultValue: .date(-0.5),
          minimum: -978_307_200, maximum: 1e9))
  }

  @Test("What else an attribute says")
  func attribute() throws {
    let attribute = try ModelXML.attribute(
      """
      optional="YES" transient="YES" derived="YES" attributeType="String" minValueString="1" \
      maxValueString="20" regularExpressionString="[a-z]+" preserveAfterDeletion="YES" \
      allowsExternalBinaryDataStorage="YES" valueTransformerName="Colors" elementID="amount" \
      versionHashModifier="2" spotlightIndexingEnabled="YES" usesScalarValueType="NO"
      """)
    #expect(
      attribute
        == Attribute(
          name: "value", type: .string, isOptional: true, isTransient: true, minimum: 1,
          maximum: 20, pattern: "[a-z]+", allowsExternalBinaryDataStorage: true,
          preservesAfterDeletion: true, valueTransformerName: "Colors", isDerived: true,
          renamingIdentifier: "amount", versionHashModifier: "2"))
  }

  @Test("A renaming identifier that is the name itself says nothing")
  func renaming() throws {
    #expect(
      try ModelXML.attribute("attributeType=\"Date\" elementID=\"value\"")?.renamingIdentifier
        == nil)
    #expect(
      try ModelXML.attribute("attributeType=\"Date\" renamingIdentifier=\"old\"")?
        .renamingIdentifier == "old")
  }

  @Test(
    "Counts of relationships",
    arguments: [
      ("", false, 0, 1), ("maxCount=\"1\"", false, 0, 1), ("toMany=\"YES\"", true, 0, 0),
      ("minCount=\"1\" maxCount=\"1\"", false, 1, 1),
      ("toMany=\"YES\" minCount=\"2\" maxCount=\"5\"", true, 2, 5),
      ("toMany=\"NO\"", false, 0, 1),
    ])
  func counts(text: String, isToMany: Bool, minimum: Int, maximum: Int) throws {
    let relationship = try ModelXML.relationship(text)
    #expect(relationship?.isToMany == isToMany)
    #expect(relationship?.minimumCount == minimum)
    #expect(relationship?.maximumCount == maximum)
  }

  @Test(
    "Delete rules",
    arguments: [
      ("Nullify", .nullify), ("Cascade", .cascade), ("Deny", .deny), ("No Action", .noAction),
    ] as [(String, Relationship.DeleteRule)])
  func deleteRules(name: String, rule: Relationship.DeleteRule) throws {
    #expect(try ModelXML.relationship("deletionRule=\"\(name)\"")?.deleteRule == rule)
  }

  @Test("What else a relationship says")
  func relationship() throws {
    let relationship = try ModelXML.relationship(
      """
      optional="YES" transient="YES" toMany="YES" ordered="YES" elementID="parts" \
      versionHashModifier="x" indexed="YES" syncable="YES"
      """)
    #expect(
      relationship
        == Relationship(
          name: "things", destinations: ["Other"], isToMany: true, isOrdered: true,
          isOptional: true, isTransient: true, renamingIdentifier: "parts",
          versionHashModifier: "x"))
  }

  @Test("Entities and properties are sorted in byte order; an entity has only its own")
  func entities() throws {
    let model = try ModelXML.model(
      ModelXML.document(
        """
        <entity name="plant" parentEntity="Thing" elementID="Tree">
          <attribute name="height" attributeType="Double"/>
          <attribute name="name" attributeType="String" optional="YES"/>
          <fetchedProperty name="found"><fetchRequest name="f" entity="Thing"/></fetchedProperty>
        </entity>
        <entity name="Thing" isAbstract="YES" versionHashModifier="7">
          <attribute name="name" attributeType="String"/>
          <attribute name="Key" attributeType="Integer 64"/>
          <uniquenessConstraints>
            <uniquenessConstraint>
              <constraint value="name"/><constraint value="Key"/>
            </uniquenessConstraint>
            <uniquenessConstraint><constraint value="Key"/></uniquenessConstraint>
          </uniquenessConstraints>
          <fetchIndex name="by"><fetchIndexElement property="name" type="Binary"/></fetchIndex>
          <userInfo><entry key="a" value="b"/></userInfo>
        </entity>
        <composite name="Pair"><attribute name="x" attributeType="?"/></composite>
        <configuration name="C"><memberEntity name="Thing"/></configuration>
        """, attributes: "userDefinedModelVersionIdentifier=\"v3\""))
    #expect(model.versionIdentifiers == ["v3"])
    #expect(
      model.entities == [
        Entity(
          name: "Thing", isAbstract: true,
          attributes: [
            Attribute(name: "Key", type: .integer, isOptional: false),
            Attribute(name: "name", type: .string, isOptional: false),
          ], uniquenessConstraints: [["Key"], ["name", "Key"]],
          fetchIndexes: [
            FetchIndex(name: "name", elements: [.init(property: "name")]),
            FetchIndex(name: "by", elements: [.init(property: "name")]),
          ], versionHashModifier: "7"),
        Entity(
          name: "plant", parent: "Thing",
          attributes: [Attribute(name: "height", type: .double, isOptional: false)],
          renamingIdentifier: "Tree"),
      ])
  }

  @Test("An empty version identifier is one; none is none")
  func identifiers() throws {
    let empty = ModelXML.document("", attributes: "userDefinedModelVersionIdentifier=\"\"")
    #expect(try ModelXML.model(empty).versionIdentifiers == [""])
    #expect(try ModelXML.model(ModelXML.document("")).versionIdentifiers == [])
  }
}
