import Foundation
import TestSupport
import Testing

@testable import CoreDataStores
@testable import DataModel

@Suite("Models that Xcode compiles")
struct XcodeModelTests {
  private func attribute(_ text: String) throws -> Attribute? {
    try XMLModel.model("<entity name='A'><attribute name='x' \(text)/></entity>")
      .entities.first?.attributes.first
  }

  @Test("What a model does not hold is passed over, with all that is inside")
  func otherElements() throws {
    let model = try XMLModel.model(
      """
      <entity name="Trip" representedClassName="Trip" syncable="YES" codeGenerationType="class">
        <attribute name="start" optional="YES" attributeType="Composite" \
      composite="Place" elementID="begin"/>
        <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" \
      derivationExpression="stops.@count"/>
        <attribute name="note" optional="YES" transient="YES"/>
        <attribute name="day" attributeType="Date" defaultDateTimeInterval="760000000.5" \
      usesScalarValueType="NO"/>
        <relationship name="stops" optional="YES" toMany="YES" deletionRule="Cascade" \
      destinationEntity="Stop" inverseName="trip" inverseEntity="Stop"/>
        <fetchedProperty name="recent" optional="YES">
          <fetchRequest name="recent" entity="Stop" predicateString="day &gt; NOW()"/>
          <userInfo><entry key="archivedPart" value="inverse"/></userInfo>
        </fetchedProperty>
        <userInfo><entry key="com.example" value="1"/></userInfo>
      </entity>
      <entity name="Stop">
        <relationship name="trip" optional="YES" maxCount="1" deletionRule="Nullify" \
      destinationEntity="Trip" inverseName="stops" inverseEntity="Trip"/>
      </entity>
      <composite name="Place"><attribute name="name" attributeType="String"/>
        <composite name="Inner"><attribute name="x" attributeType="Odd"/></composite></composite>
      <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="Trip"/></configuration>
      <fetchRequest name="All" entity="Trip" predicateString="TRUEPREDICATE"/>
      <elements><element name="Trip" positionX="0" positionY="0" width="128" height="44"/></elements>
      """)
    #expect(model.notes == [])
    #expect(model.entities.map(\.name) == ["Stop", "Trip"])
    let trip = try #require(model.entities.last)
    #expect(trip.attributes.map(\.name) == ["count", "day", "note", "start"])
    #expect(trip.attributes.map(\.type) == [.integer, .date, .undefined, .composite])
    #expect(trip.attributes.map(\.isDerived) == [true, false, false, false])
    #expect(trip.attributes[1].defaultValue == .date(760_000_000.5))
    #expect(trip.relationships.map(\.name) == ["stops"])
    #expect(model.entitiesWithUncertainHash == ["Trip"])
  }

  @Test(
    "Default values in the words of any version of Xcode are values",
    arguments: [
      ("Boolean", "YES", .boolean(true)), ("Boolean", "NO", .boolean(false)),
      ("Boolean", "1", .boolean(true)), ("Boolean", "0", .boolean(false)),
      ("Boolean", "true", .boolean(true)), ("Integer 16", "0", .integer(0)),
      ("Integer 32", "-1", .integer(-1)), ("Integer 64", "1.0", .integer(1)),
      ("Double", "0.0", .double(0)), ("Decimal", "0", .decimal("0")),
      ("String", "NO", .string("NO")),
    ] as [(String, String, AttributeDefault)])
  func defaults(_ type: String, _ text: String, _ value: AttributeDefault) throws {
    #expect(
      try attribute("attributeType='\(type)' defaultValueString='\(text)'")?.defaultValue == value)
  }

  @Test(
    "A value in other words is read as far as it is a number, with a note",
    arguments: [
      ("Double", "defaultValueString", "1,5", .otherDefault),
      ("Integer 16", "defaultValueString", "YES", .otherDefault),
      ("Date", "defaultDateTimeInterval", "today", .otherDefault),
      ("Decimal", "minValueString", "0,5", .otherLimit),
      ("String", "maxValueString", "many", .otherLimit),
      ("Date", "minDateTimeInterval", "nan", .otherLimit),
    ] as [(String, String, String, ModelError.Code)])
  func otherWords(
    _ type: String, _ key: String, _ text: String, _ code: ModelError.Code
  ) throws {
    let model = try XMLModel.model(
      "<entity name='A'><attribute name='x' attributeType='\(type)' \(key)='\(text)'/></entity>")
    #expect(model.notes.map(\.code) == [code])
    #expect(model.notes.map(\.property) == ["x"])
    let plain = try XMLModel.model(
      "<entity name='A'><attribute name='x' attributeType='\(type)'/></entity>")
    #expect(model.versionHashes() == plain.versionHashes())
  }

  @Test("Limits in other words are those of the digits in front")
  func limits() throws {
    let attribute = try attribute(
      "attributeType='Double' minValueString='0,5' maxValueString='10 km'")
    #expect(attribute?.minimum == 0)
    #expect(attribute?.maximum == 10)
  }

  @Test("A model that has no entities, or entities without properties, is one")
  func empty() throws {
    #expect(try XMLModel.model("").entities == [])
    #expect(try XMLModel.model("<entity name='A'/>").entities == [Entity(name: "A")])
  }
}
