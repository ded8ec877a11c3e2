import Importer
import TestSupport
import Testing

@Suite("Errors in models")
struct ModelErrorTests {
  /// The error that reading a document in a file throws.
  private func error(_ document: String) throws -> ModelError? {
    let folder = try TemporaryFolder()
    let path = try folder.write(document, to: "contents")
    return #expect(throws: ModelError.self, "\(document)") { try Model(contentsOf: path) }
  }

  @Test(
    "A wrong declaration is told with its entity, property and line",
    arguments: [
      ("<entity/>", .missingName, nil, nil, 1),
      ("<entity name='A'/>\n<entity name='A'/>", .duplicateEntity, "A", nil, 2),
      ("<entity name='A'>\n<attribute/></entity>", .missingName, "A", nil, 2),
      (
        "<entity name='A'>\n<attribute name='x' attributeType='Text'/></entity>",
        .unknownAttributeType, "A", "x", 2
      ),
      (
        "<entity name='A'>\n<attribute name='x'/>\n<relationship name='x'/></entity>",
        .duplicateProperty, "A", "x", 3
      ),
      (
        "<entity name='A'>\n<relationship name='x' deletionRule='Drop'/></entity>",
        .unknownDeleteRule, "A", "x", 2
      ),
      ("<entity name='A' isAbstract='MAYBE'/>", .badValue, "A", nil, 1),
      (
        "<entity name='A'><relationship name='x' maxCount='-1'/></entity>", .badValue, "A", "x", 1
      ),
      (
        "<entity name='A'><relationship name='x' minCount='9999999999'/></entity>", .badValue,
        "A", "x", 1
      ),
      ("<entity name='A' parentEntity='B'/>", .unknownParent, "A", nil, 1),
      (
        "<entity name='A' parentEntity='B'/>\n<entity name='B' parentEntity='A'/>", .parentCycle,
        "A", nil, 1
      ),
      ("<entity name='A' parentEntity='A'/>", .parentCycle, "A", nil, 1),
      (
        "<entity name='A'>\n<relationship name='x'/></entity>", .missingDestination, "A", "x", 2
      ),
      (
        "<entity name='A'>\n<relationship name='x' destinationEntity='B'/></entity>",
        .unknownDestination, "A", "x", 2
      ),
      (
        "<entity name='A'><uniquenessConstraints><uniquenessConstraint><constraint value='x'/>"
          + "</uniquenessConstraint></uniquenessConstraints></entity>",
        .unknownConstrainedProperty, "A", nil, 1
      ),
      (
        "<entity name='A'><attribute name='x' attributeType='Date'/></entity>\n"
          + "<entity name='B' parentEntity='A'>\n<attribute name='x' attributeType='String'/>"
          + "</entity>", .conflictingProperty, "B", "x", 3
      ),
    ] as [(String, ModelError.Code, String?, String?, Int)])
  func declarations(
    entities: String, code: ModelError.Code, entity: String?, property: String?, line: Int
  ) throws {
    let error = try error("<model>\(entities)</model>")
    #expect(error?.code == code)
    #expect(error?.entity == entity)
    #expect(error?.property == property)
    #expect(error?.line == line)
    #expect(error?.path.hasSuffix("/contents") == true)
  }

  @Test(
    "A file that is no model",
    arguments: [
      ("", .unreadable, nil), ("text", .unknownKind, nil), ("<model>", .malformedXML, 1),
      ("<model>\n<entity name='A'></model>", .malformedXML, 2), ("<model/>x", .malformedXML, 1),
      ("<model><entity name=A/></model>", .malformedXML, 1),
      ("<model>&a;</model>", .malformedXML, 1),
      ("<model>\0</model>", .notAModel, nil), ("<model/><model/>", .malformedXML, 1),
      ("<?xml version='1.0'?>\n<other/>", .notAModel, 2),
      ("<?xml version='1.0'?>\n<plist/>", .damagedArchive, nil),
      ("<?xml version='1.0'?><!DOCTYPE m [<!ENTITY a 'b'>]><model>&a;</model>", .documentType, nil),
      (
        "<?xml version='1.0'?><!DOCTYPE m [<!ENTITY a SYSTEM '/etc/passwd'>]><model>&a;</model>",
        .documentType, nil
      ),
    ] as [(String, ModelError.Code, Int?)])
  func files(text: String, code: ModelError.Code, line: Int?) throws {
    let error = try error(text)
    #expect(error?.code == code)
    #expect(error?.line == line)
  }

  @Test("Inheritance is followed only so far")
  func depth() throws {
    let entities = (1..<200).map { "<entity name='E\($0)' parentEntity='E\($0 - 1)'/>" }
    let error = try error("<model><entity name='E0'/>\(entities.joined())</model>")
    #expect(error?.code == .tooDeep)
  }

  @Test("Elements may be nested without end")
  func nesting() throws {
    let text = String(repeating: "<a>", count: 100_000)
    #expect(try error("<model>\(text)</model>")?.code == .malformedXML)
  }

  @Test("An error is told in words")
  func words() {
    let error = ModelError(
      .unknownDestination, path: "a/contents", entity: "Book", property: "pages", line: 7,
      name: "Page")
    #expect(
      "\(error)" == "a/contents: Book.pages: the destination entity Page does not exist (line 7)")
    for code in ModelError.Code.allCases {
      #expect(!"\(ModelError(code))".isEmpty)
    }
  }
}
