import Foundation
import TestSupport
import Testing

@testable import CoreDataStores
@testable import DataModel

@Suite("The compiled form of a model")
struct CompiledModelWriterTests {
  private func read(_ bytes: Data) throws -> Model {
    let archived = try ArchivedModel(bytes, .standard)
    #expect(archived.isCompiled)
    return archived.model
  }

  /// A model without the rules of its values, which the compiled form leaves out.
  private func withoutRules(_ model: Model) -> Model {
    var model = model
    for entity in model.entities.indices {
      for attribute in model.entities[entity].attributes.indices {
        model.entities[entity].attributes[attribute].minimum = nil
        model.entities[entity].attributes[attribute].maximum = nil
        model.entities[entity].attributes[attribute].pattern = nil
      }
    }
    return model
  }

  @Test("is read as the same model, with the same hashes")
  func roundTrip() throws {
    let model = try XMLModel.model(XMLModel.library, identifier: "1.2")
    let bytes = try #require(CompiledModelWriter.bytes(of: model))
    let found = try read(bytes)
    #expect(found == withoutRules(model))
    #expect(found.versionHashes() == model.versionHashes())
    #expect(CompiledModelWriter.bytes(of: found) == bytes)
  }

  @Test("has what a drafted model says of archives")
  func drafted() throws {
    var model = try XMLModel.model(
      """
      <entity name="Doc_kids">
        <attribute name="position" optional="YES" attributeType="Integer 64"/>
        <attribute name="value" optional="YES" attributeType="Transformable"/>
        <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Doc_kids"/>
      </entity>
      """)
    model.entities[0].draftedTable = .elements(entity: "Doc", property: "kids")
    model.entities[0].attributes[0].draftedPart = .position
    model.entities[0].attributes[1].archivedType = .mixed
    model.entities[0].relationships[0].draftedPart = .reference(of: "owner")
    model.entities[0].relationships[0].archivedInverse = "kids"
    let found = try read(try #require(CompiledModelWriter.bytes(of: model)))
    #expect(found == model)
  }

  @Test("has the indexes of a store, and the names of classes as far as a model tells them")
  func indexesAndClasses() throws {
    let model = try XMLModel.model(
      """
      <entity name="A" representedClassName="A">
        <attribute name="x" optional="YES" attributeType="Double"/>
        <attribute name="y" optional="YES" attributeType="Double"/>
        <fetchIndex name="both">
          <fetchIndexElement property="x" type="Binary" order="descending"/>
          <fetchIndexElement property="y" type="Binary" order="ascending"/>
        </fetchIndex>
        <fetchIndex name="some" partialIndexPredicate="x > 1">
          <fetchIndexElement property="x" type="Binary" order="ascending"/>
        </fetchIndex>
        <fetchIndex name="ranges">
          <fetchIndexElement property="x" type="RTree" order="ascending"/>
        </fetchIndex>
      </entity>
      <entity name="B" representedClassName=".B"/>
      <entity name="C" representedClassName="App.C"/>
      <entity name="D"/>
      """)
    let found = try read(try #require(CompiledModelWriter.bytes(of: model)))
    #expect(
      found.entities[0].fetchIndexes == [
        FetchIndex(
          name: "both",
          elements: [.init(property: "x", isAscending: false), .init(property: "y")])
      ])
    #expect(found.entities.map(\.compiledClassName) == ["A", nil, "App.C", nil])
  }

  @Test(
    "is not made where the form of something is unknown",
    arguments: [
      #"<entity name="A"><attribute name="n" optional="YES" attributeType="Integer 64" "#
        + #"derived="YES" derivationExpression="now()"/></entity>"#,
      #"<entity name="A"><attribute name="n" optional="YES" attributeType="Composite"/></entity>"#,
      #"<entity name="A"><attribute name="n" optional="YES" attributeType="Date" "#
        + #"defaultDateTimeInterval="soon"/><attribute name="t" optional="YES" "#
        + #"attributeType="Transformable" defaultValueString="a"/></entity>"#,
      #"<entity name="A"/><configuration name="Local"><memberEntity name="A"/></configuration>"#,
    ])
  func unknown(entities: String) throws {
    #expect(CompiledModelWriter.bytes(of: try XMLModel.model(entities)) == nil)
  }
}
