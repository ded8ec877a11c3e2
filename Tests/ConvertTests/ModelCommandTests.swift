import TestSupport
import Testing

@Suite("convert model")
struct ModelCommandTests {
  private static let contents = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
    userDefinedModelVersionIdentifier="2">
      <entity name="Item" representedClassName="Item" isAbstract="YES">
        <attribute name="title" optional="YES" attributeType="String" defaultValueString="new"/>
        <attribute name="rank" attributeType="Integer 32" defaultValueString="3"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="title"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name="Note" parentEntity="Item">
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>
      </entity>
      <entity name="Folder" parentEntity="Item">
        <relationship name="notes" optional="YES" toMany="YES" deletionRule="Cascade" \
    ordered="YES" destinationEntity="Note" inverseName="folder" inverseEntity="Note"/>
      </entity>
    </model>
    """

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(contents, to: "App.xcdatamodel/contents")
    return folder
  }

  @Test("prints a table for each entity, in Core Data's order")
  func text() throws {
    let result = try Self.folder().convert("model", "App.xcdatamodel")
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(
      result.output == """
        3 entities

        1 Item (abstract)  type
        rank               integer32  required, default 3
        title              string     default "new"
        title              unique

        2 Folder : Item  type
        notes            →→ Note  inverse folder, ordered, on deletion cascade

        3 Note : Item  type
        price          decimal
        folder         → Folder  inverse notes

        """)
  }

  @Test("shows the bounds and patterns of values, of a model in a folder, too")
  func bounds() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="A">
      <attribute name="code" optional="YES" attributeType="String" minValueString="2"
       maxValueString="5" regularExpressionString="[A-Z]+"/>
      <attribute name="rank" optional="YES" attributeType="Integer 16" minValueString="1"
       maxValueString="9" usesScalarValueType="YES"/>
      <attribute name="rate" optional="YES" attributeType="Double" maxValueString="0.5"/>
      <relationship name="others" optional="YES" toMany="YES" minCount="1" maxCount="3"
       destinationEntity="A"/></entity></model>
      """, to: "pile/M.xcdatamodel/contents")
    let result = try folder.convert("model", "pile")
    #expect(
      result.output == """
        1 entity

        1 A     type
        code    string     at least 2 characters, at most 5 characters, matches [A-Z]+
        rank    integer16  at least 1, at most 9
        rate    double     at most 0.5
        others  →→ A       at least 1, at most 3

        """, "\(result)")
  }

  @Test("prints JSON with numbers and version hashes")
  func json() throws {
    let result = try Self.folder().convert("model", "--json", "App.xcdatamodel")
    #expect(result.status == 0)
    #expect(result.output.contains(#""versionIdentifiers" : ["#))
    let hashes = result.output.matches(of: #/"versionHash" : "([A-Za-z0-9+/]{43}=)"/#)
    #expect(Set(hashes.map { String($0.1) }).count == 3)
    #expect(result.output.matches(of: #/"number" : [123]/#).count == 3)
  }

  @Test(
    "creates no store of more tables than run does, unless told to",
    arguments: ["relational", "coredata"])
  func limitsTables(layout: String) throws {
    let folder = try TemporaryFolder()
    let entities = (0..<12).map {
      "<entity name=\"E\($0)\"><attribute name=\"a\" attributeType=\"String\"/></entity>"
    }
    try folder.write(
      Self.contents.replacing(
        #/<entity.*<\/entity>/#.dotMatchesNewlines(), with: entities.joined()),
      to: "Wide.xcdatamodel/contents")
    let command = [
      "model", "Wide.xcdatamodel", "--create-store", "out.db", "--layout", layout, "--limit",
    ]
    let refused = try Program.run(command + ["tables=11"], in: folder.path)
    #expect(refused.status == 2)
    #expect(
      refused.errors == """
        out.db: the store would have more tables than the limit of 11; \
        raise it with --limit tables=N

        """)
    #expect(try folder.names() == ["Wide.xcdatamodel"])
    #expect(try Program.run(command + ["tables=12"], in: folder.path).status == 0)
    try folder.store().expect(
      "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'E%' OR name LIKE 'ZE%'", "12")
    let useless = try folder.convert("model", "Wide.xcdatamodel", "--limit", "tables=12")
    #expect(useless.status == 64)
    #expect(useless.errors.contains("model does not use the limit tables."))
  }

  @Test(
    "ends with 2 where there is no model",
    arguments: ["missing.xcdatamodel", "missing.momd", "notes.txt", "damaged.mom"])
  func noModel(name: String) throws {
    let folder = try Self.folder()
    try folder.write("nothing", to: "notes.txt")
    try folder.write("bplist00", to: "damaged.mom")
    let result = try folder.convert("model", name)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errorLines.count == 1)
    #expect(result.errors.hasPrefix(name))
  }
}
