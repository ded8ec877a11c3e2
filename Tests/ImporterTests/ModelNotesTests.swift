import Converter
import Foundation
import TestSupport
import Testing

@Suite("What Xcode compiles with a warning")
struct ModelNotesTests {
  private func model(_ xml: String) throws -> Model {
    let folder = try TemporaryFolder()
    return try Model(contentsOf: folder.write(ModelXML.document(xml), to: "contents"))
  }

  @Test(
    "A default value of another kind is read as Xcode reads it",
    arguments: [
      ("Integer 32", "NO", .integer(0)), ("Integer 32", "YES", .integer(0)),
      ("Integer 16", "12 apples", .integer(12)), ("Integer 64", "-3.7", .integer(-3)),
      ("Double", "none", .double(0)), ("Double", " 1.5x", .double(1.5)),
      ("Float", "-.5f", .double(-0.5)), ("Boolean", "Yeah", .boolean(true)),
      ("Boolean", "off", .boolean(false)), ("Boolean", "7", .boolean(true)),
      ("Integer 16", "one", .integer(0)), ("Integer 16", "1.5", .integer(1)),
      ("Integer 64", "1e30", .integer(1)), ("Double", "nan", .double(0)),
      ("Double", "0x1p3", .double(0)), ("Double", "1e999", .double(1)), ("Decimal", "1e999", nil),
      ("Decimal", "1e9223372036854775808", nil), ("Decimal", "--1", nil), ("Decimal", "NO", nil),
      ("Decimal", "1234567890123456789012345678901234567891", nil), ("UUID", "6ba7b810", nil),
      ("UUID", "none", nil),
    ] as [(String, String, AttributeDefault?)])
  func defaults(_ type: String, _ text: String, _ value: AttributeDefault?) throws {
    let model = try model(
      "<entity name='A'><attribute name='x' attributeType='\(type)' defaultValueString='\(text)'/>"
        + "</entity>")
    #expect(model.entities[0].attributes[0].defaultValue == value)
    #expect(model.notes.map(\.code) == [.otherDefault])
    #expect(model.notes.map(\.property) == ["x"])
    #expect(
      try model.versionHashes()["A"]
        == self.model("<entity name='A'><attribute name='x' attributeType='\(type)'/></entity>")
        .versionHashes()["A"])
  }

  private static let oneSided = """
    <entity name='Book'><relationship name='author' optional='YES' maxCount='1' \
    destinationEntity='Writer' inverseName='books'/>
    <relationship name='editor' optional='YES' maxCount='1' destinationEntity='Writer' \
    inverseName='books'/></entity>
    <entity name='Writer'><relationship name='books' optional='YES' toMany='YES' \
    destinationEntity='Book' inverseName='author'/></entity>
    """

  @Test("An inverse that does not lead back is read, hashed and laid out as it is declared")
  func inverses() throws {
    let model = try model(Self.oneSided)
    #expect(
      model.notes.map(\.description).map { $0.replacing(#/^.*contents: /#, with: "") } == [
        "Book.editor: the inverse books does not refer back (line 4)"
      ])
    let book = try #require(model.entities.first)
    #expect(book.relationships.map(\.inverse) == ["books", "books"])
    #expect(model.withoutDraftedParts.entities[0].relationships.map(\.inverse) == ["books", nil])
    let layout = CoreDataLayout(model)
    #expect(layout.gaps == [])
    #expect(
      layout.tables[0].creation
        == "CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZAUTHOR INTEGER, ZEDITOR INTEGER )")
  }

  @Test("An inverse that leads to another entity than the relationship's does not lead back")
  func otherEntity() throws {
    let model = try model(
      """
      <entity name='A'><relationship name='x' maxCount='1' destinationEntity='B' \
      inverseName='y'/></entity>
      <entity name='B'><relationship name='y' maxCount='1' destinationEntity='C' \
      inverseName='x'/></entity>
      <entity name='C'><relationship name='x' maxCount='1' destinationEntity='B' \
      inverseName='y'/></entity>
      """)
    #expect(model.notes.map(\.entity) == ["A"])
  }

  @Test("A many-to-many relationship whose inverse does not lead back has no known form")
  func manyToMany() throws {
    let model = try model(
      Self.oneSided.replacing(
        "name='editor' optional='YES' maxCount='1'", with: "name='editors' toMany='YES'"
      )
      .replacing("name='author' optional='YES' maxCount='1'", with: "name='authors' toMany='YES'")
      .replacing("inverseName='author'", with: "inverseName='authors'"))
    #expect(CoreDataLayout(model).gaps.map(\.property) == ["editors"])
  }

  @Test("A store of such a model is sound; what does not lead back is noted")
  func check() throws {
    let folder = try TemporaryFolder()
    let contents = try folder.write(ModelXML.document(Self.oneSided), to: "contents")
    let path = folder.file(named: "store.sqlite")
    try EmptyStore(ModelSource(contentsOf: contents), layout: .coreData).write(to: path)
    let result = try StoreCheck.run(path, model: contents)
    #expect(result.isSound)
    #expect(
      result.findings.map(\.description) == [
        "Z_PRIMARYKEY: the inverse of Book.editor does not refer back in the model"
      ])
  }
}
