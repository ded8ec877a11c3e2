import ArchiveWriter
import Importer
import TestSupport
import Testing

@Suite("Fetch indexes of models")
struct FetchIndexTests {
  /// The indexes of the entity A of a document, each as its name and elements.
  private func indexes(_ document: String) throws -> [String] {
    try #require(try ModelXML.model(document).entities.first { $0.name == "A" })
      .fetchIndexes.map(Self.text)
  }

  private static func text(_ index: FetchIndex) -> String {
    let elements = index.elements.map { element in
      "\(element.property ?? "(\(element.expression ?? ""))") \(element.isAscending ? "↑" : "↓")"
        + (element.form == .rTree ? " R" : "")
    }
    return "\(index.name): \(elements.joined(separator: ", "))"
      + (index.isPartial ? " where \(index.predicate ?? "?")" : "")
  }

  private static let document = ModelXML.document(
    """
    <entity name="A">
      <attribute name="a" attributeType="String" indexed="YES"/>
      <attribute name="b" attributeType="String" indexed="NO"/>
      <attribute name="c" attributeType="Double"/>
      <attribute name="d" attributeType="Double"/>
      <fetchIndex name="byD"><fetchIndexElement property="d" type="Binary" order="ascending"/>
      </fetchIndex>
      <fetchIndex name="byC"><fetchIndexElement property="c" type="Binary" order="descending"/>
      </fetchIndex>
      <fetchIndex name="places"><fetchIndexElement property="c" type="RTree" order="ascending"/>
        <fetchIndexElement property="d" type="RTree" order="ascending"/></fetchIndex>
      <fetchIndex name="long"><fetchIndexElement expression="length(a)" order="ascending"/>
      </fetchIndex>
      <fetchIndex name="some" partialIndexPredicate="c &gt; 1">
        <fetchIndexElement property="c"/></fetchIndex>
      <compoundIndexes><compoundIndex><index value="a"/><index value="c"/></compoundIndex>
      </compoundIndexes>
    </entity>
    """)

  @Test("An XML model has those that it declares and those that the compiler adds")
  func xml() throws {
    #expect(
      try indexes(Self.document) == [
        "d: d ↑", "a: a ↑", "byD: d ↑", "byC: c ↓", "places: c ↑ R, d ↑ R", "long: (length(a)) ↑",
        "some: c ↑ where c > 1", "a_c: a ↑, c ↑",
      ])
  }

  @Test("A model that is written again has the same ones")
  func written() throws {
    let model = try ModelXML.model(Self.document)
    let text = XMLModelWriter(model).contents()
    #expect(try ModelXML.model(text).entities == model.entities)
    #expect(text.contains(#"name="a" indexed="YES" attributeType"#))
    #expect(!text.contains(#"fetchIndex name="a""#))
  }

  @Test(
    "Words that no index has are refused",
    arguments: [("order='up'", "order"), ("type='Hash'", "type")])
  func badValue(_ attributes: String, _ name: String) throws {
    let error = #expect(throws: ModelError.self) {
      try ModelXML.model(
        ModelXML.document(
          """
          <entity name="A"><fetchIndex name="i">
          <fetchIndexElement property="x" \(attributes)/></fetchIndex></entity>
          """))
    }
    #expect(error?.code == .badValue)
    #expect(error?.name == name)
  }

  /// A compiled model with an indexed attribute "x" and what else its entity is to have.
  private func compiled(
    _ entity: (inout KeyedArchiveBuilder) -> [KeyValue]
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    let archive = KeyedArchiveBuilder.archive { archive in
      let slot = archive.reserve()
      let name = archive.string("x")
      let attribute = archive.instance(
        of: "NSAttributeDescription",
        ["NSPropertyName": name, "NSAttributeType": 700, "NSIsIndexed": true])
      archive.fill(
        slot, className: "NSEntityDescription",
        [
          KeyValue("NSEntityName", archive.string("A")),
          KeyValue("NSProperties", archive.dictionary([name: attribute])),
        ] + entity(&archive))
      return archive.instance(
        of: "NSManagedObjectModel",
        ["NSEntities": archive.dictionary([archive.string("A"): slot.reference])])
    }
    let path = try folder.write(archive.binary(), to: "A.mom")
    return try #require(try Model(contentsOf: path).entities.first).fetchIndexes.map(Self.text)
  }

  @Test("A compiled model has those that it lists, and no others")
  func compiledIndexes() throws {
    let found = try compiled { archive in
      let element = archive.instance(
        of: "NSFetchIndexElementDescription",
        ["NSPropertyName": archive.string("x"), "NSFetchIndexElementType": 0])
      let range = archive.instance(
        of: "NSFetchIndexElementDescription",
        [
          "NSPropertyName": archive.string("x"), "NSFetchIndexElementType": 1, "NSAscending": true,
        ])
      let first = archive.instance(
        of: "NSFetchIndexDescription",
        ["NSIndexName": archive.string("byX"), "NSIndexElements": archive.array([element])])
      let second = archive.instance(
        of: "NSFetchIndexDescription",
        [
          "NSIndexName": archive.string("range"), "NSIndexElements": archive.array([range]),
          "NSPartialIndexPredicate": archive.instance(of: "NSComparisonPredicate", [:]),
        ])
      return [KeyValue("NSFetchIndexDescriptions", archive.array([first, second]))]
    }
    #expect(found == ["byX: x ↓", "range: x ↑ R where ?"])
  }

  @Test("An older compiler lists none: attributes and compound indexes say which there are")
  func olderCompiler() throws {
    #expect(try compiled { _ in [] } == ["x: x ↑"])
    let found = try compiled { archive in
      let names = archive.array([archive.string("x"), archive.string("y")])
      return [KeyValue("NSCompoundIndexes", archive.array([names]))]
    }
    #expect(found == ["x: x ↑", "x_y: x ↑, y ↑"])
    #expect(
      try compiled { [KeyValue("NSFetchIndexDescriptions", $0.array([]))] } == [])
  }
}
