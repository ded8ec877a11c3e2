import DataModel
import Foundation
import MappingModelTesting
import Migration
import TestSupport
import Testing

@Suite("The source of a mapping model")
struct MappingModelDocumentTests {
  @Test("is read as its author left it")
  func whole() throws {
    let document = try MappingModelDocument(xml: Garage.store.bytes)
    #expect(document.sourceModelPath == "App/Model.xcdatamodeld/Model.xcdatamodel")
    #expect(document.destinationModelPath == "App/Model.xcdatamodeld/Model 2.xcdatamodel")
    #expect(document.sourceModelData == nil)
    #expect(try document.embeddedSourceModel() == nil)
    #expect(
      document.entityMappings.map(\.effectiveName) == [
        "CarToCar", "SportCarToSportCar", "GarageToGarage", "Owner", "Wheel", "Maker",
      ])
    #expect(document.entityMappings[0].userInfo == ["version": .text("2")])
    #expect(document.entityMappings[1].filter?.format == "power < 1000")
    #expect(document.leftovers.entityMappings == ["WheelToTyre"])
    #expect(document.leftovers.attributeMappings == ["colour"])
    #expect(document.leftovers.relationshipMappings == ["(unnamed)"])
  }

  @Test("may be a folder, a file in it, or a compiled file")
  func files() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Garage.store.bytes, to: "A.xcmappingmodel/xcmapping.xml")
    let document = try MappingModelDocument(xml: Garage.store.bytes)
    #expect(try MappingModelFile(contentsOf: file) == .document(document))
    for path in ["A.xcmappingmodel", "A.xcmappingmodel/"] {
      #expect(
        try MappingModelFile(contentsOf: folder.file(named: path)) == .document(document))
    }
    let compiled = try folder.write(MappingModelArchiver.bytes(MappingModel()), to: "A.cdm")
    #expect(try MappingModelFile(contentsOf: compiled) == .compiled(MappingModel()))
    try folder.write([], to: "B.xcmappingmodel/other")
    for path in ["B.xcmappingmodel", "C.cdm"] {
      let error = #expect(throws: ModelError.self) {
        try MappingModelFile(contentsOf: folder.file(named: path))
      }
      #expect(
        error.map { "\($0)" }
          == "\(folder.file(named: path)): cannot be read: No such file or directory")
    }
  }

  @Test("hands out the embedded models, in whatever white space")
  func embedded() throws {
    let archive = MappingDocument.embeddedModel(entities: ["Car"])
    var store = XMLMappingStore(source: archive, destination: Data("no archive".utf8))
    store.add(from: "Car", to: "Car")
    let text = store.text.replacingOccurrences(of: "YnBsaXN0", with: "\n YnBs \t aXN0")
    let document = try MappingModelDocument(xml: Data(text.utf8))
    #expect(document.sourceModelData == archive)
    #expect(try document.embeddedSourceModel()?.entities.map(\.name) == ["Car"])
    #expect(throws: ModelError.self) { try document.embeddedDestinationModel() }
  }

  /// Texts as the file has them, and what they mean.
  static let escapes: [(text: String, meaning: String?)] = [
    ("name == 'a'", "name == \"a\""), ("a \\u3c00 1", "a < 1"),
    ("a == '\\u2600 \\\\\\\\ \\u1BFF'", "a == \"& \\\\ ；\""),
    ("a == '\\u3dd8\\u00de'", "a == \"😀\""), ("a == '\\u3dd8'", nil), ("a == '\\x'", nil),
    ("a == '\\u12'", nil), ("a == '\\", nil), ("a &lt; 1", "a < 1"),
  ]

  @Test("has escapes of its own in texts", arguments: escapes)
  func escape(text: String, meaning: String?) throws {
    var store = XMLMappingStore()
    store.add(from: "Car", to: "Car", filter: text)
    do {
      let document = try MappingModelDocument(xml: store.bytes)
      #expect(document.entityMappings.first?.filter?.format == meaning)
    } catch {
      #expect(meaning == nil)
      #expect(error.code == .badValue)
    }
  }

  @Test("may be written with other cases, sides, order and metadata")
  func variants() throws {
    let text = """
      <database><object type="XDDevAttributeMapping" id="a"><attribute name="Name">x</attribute>\
      </object><object type="xddevmappingmodel" id="m"><relationship name="entityMappings" \
      idrefs="e"/></object><object type="XDDevEntityMapping" id="e"><attribute \
      name="sourceName">Car</attribute><relationship name="attributeMappings" idrefs="a"/>\
      </object><object type="OTHER"/><other/></database>
      """
    let document = try MappingModelDocument(xml: Data(text.utf8))
    #expect(document.entityMappings.map(\.effectiveName) == ["Car"])
    #expect(document.entityMappings.first?.attributeMappings.map(\.name) == ["x"])
    #expect(document.leftovers.isEmpty)
  }

  /// Files that are no mapping models, and why.
  static let mistakes: [(objects: String, error: String)] = [
    ("", "is not a mapping model: it has no XDDEVMAPPINGMODEL"),
    (
      XMLMappingStore.object("XDDEVMAPPINGMODEL", "a", "")
        + XMLMappingStore.object("XDDEVMAPPINGMODEL", "b", ""),
      "is not a mapping model: it has several (line 12)"
    ),
    (
      XMLMappingStore.object("XDDEVMAPPINGMODEL", "a", "")
        + XMLMappingStore.object("XDDEVENTITYMAPPING", "a", ""), "duplicate object a (line 12)"
    ),
    (
      XMLMappingStore.object(
        "XDDEVMAPPINGMODEL", "a", XMLMappingStore.relationship("entitymappings", ["b"])),
      "entitymappings: refers to the object b, which does not exist (line 10)"
    ),
    (
      XMLMappingStore.object(
        "XDDEVMAPPINGMODEL", "a", XMLMappingStore.relationship("entitymappings", ["a"])),
      "entitymappings: refers to the object a, which does not exist (line 10)"
    ),
    (
      XMLMappingStore.object(
        "XDDEVMAPPINGMODEL", "a", XMLMappingStore.attribute("sourcemodeldata", "binary", "?")),
      "a: invalid value of sourcemodeldata (line 10)"
    ),
    (
      XMLMappingStore.object(
        "XDDEVMAPPINGMODEL", "a",
        XMLMappingStore.attribute("x", "string", "") + XMLMappingStore.attribute("X", "string", "")),
      "a.X: duplicate property (line 12)"
    ),
    (
      "<object type=\"XDDEVMAPPINGMODEL\"></object>", "an element <object> has no name (line 10)"
    ),
    (
      "<object type=\"XDDEVMAPPINGMODEL\" id=\"a\"><attribute/></object>",
      "an element <attribute> has no name (line 10)"
    ),
    ("<object>", "the XML is not well-formed: an end tag does not match its start tag (line 10)"),
  ]

  @Test("that is none is refused, with the place", arguments: mistakes)
  func mistake(objects: String, error: String) {
    let thrown = #expect(throws: ModelError.self) {
      try MappingModelDocument(xml: Data(XMLMappingStore.document(objects).utf8))
    }
    #expect(thrown.map { "\($0)" } == error)
  }

  @Test("with values of other kinds is refused")
  func values() {
    for (name, value) in [
      ("mappingnumber", "x"), ("autogenerateexpression", "2"), ("sourceexpressiondata", "AAAA"),
      ("userinfodata", "AAAA"),
    ] {
      let objects =
        XMLMappingStore.object("XDDEVMAPPINGMODEL", "a", "")
        + XMLMappingStore.object(
          "XDDEVENTITYMAPPING", "b",
          XMLMappingStore.attribute(name, "", value)
            + XMLMappingStore.relationship("mappingmodel", ["a"]))
      #expect(throws: ModelError.self) {
        try MappingModelDocument(xml: Data(XMLMappingStore.document(objects).utf8))
      }
    }
  }

  @Test("fetches nothing from outside, and declares no entities")
  func externalEntities() {
    let text = Garage.store.text.replacingOccurrences(
      of: "\"file:///System/Library/DTDs/CoreData.dtd\"",
      with: "\"none.dtd\" [<!ENTITY a SYSTEM \"file:///etc/passwd\">]")
    let error = #expect(throws: ModelError.self) {
      try MappingModelDocument(xml: Data(text.utf8))
    }
    #expect(error?.code == .malformedXML)
    #expect(error?.name == "it declares entities")
  }
}
