import ArchiveReader
import CoreDataStores
import DataModel
import GraphCore
import GraphTesting
import Testing

@Suite("XML stores of Core Data")
struct XMLStoreTests {
  private func read(
    _ objects: String, salvages: Bool = false, limits: ReadingLimits = .standard
  ) throws(ArchiveError) -> XMLStoreSource {
    try XMLStoreSource(
      XMLStoreMaker(objects).bytes, model: StoreModels.library, limits: limits, salvages: salvages)
  }

  @Test("give the objects by entity and key, all values and links")
  func everything() throws {
    let source = try XMLStoreSource(XMLStoreMaker.library.bytes, model: StoreModels.library)
    #expect(
      StoreReading(source).lines == [
        #"0 Folder isOpen=false parent=#1"#,
        #"1 Folder isOpen=true title="" items=[#2 #0]"#,
        #"2 Note URL=<https://example.org/?a=1&b=2> amount=3.3300000000000000000000000000000001d "#
          + #"body=<0001020304> changed=@253616400.25 count=9223372036854775807 ease=0.1 "#
          + #"id=6BA7B810-9DAD-11D1-80B4-00C04FD430C8 level=3 sortIndex=-7 "#
          + #"style=<62706c697374> title="& Konst & \Teknik" weight=2.5 parent=#1 tags={#3}"#,
        #"3 Tag name="red" taggedItems={#2}"#,
      ])
    #expect(checkGraph(source) == [])
    #expect(source.losses.isEmpty)
    #expect(source.leftOut.isEmpty)
  }

  @Test("say what they are")
  func metadata() throws {
    let file = XMLStoreMaker.library.bytes
    let source = try XMLStoreSource(file, model: StoreModels.library)
    #expect(source.format == .xmlStore)
    #expect(source.archiver == "Core Data" && source.version == 186)
    #expect(source.holdsEveryObject && source.roots.isEmpty)
    #expect(source.metadata.uuid == "B4FC79D0-E654-43EF-9020-A5273B3F104A")
    #expect(source.metadata.versionHashes == StoreModels.library.hashes())
    #expect(source.metadata.identifiers == ["1.0"])
    #expect(source.metadata.applicationValues.map(\.key) == ["BuildNumber", "Path & name"])
    #expect(source.metadata.applicationValues.map(\.value) == [591, "a < b"])
    #expect(try XMLStoreSource.metadata(of: file) == source.metadata)
    #expect(source.storeKey(ofObject: 2)?.entity == "Note")
    #expect(source.storeKey(ofObject: 2)?.key == 104)
    #expect(source.storeKey(ofObject: 4) == nil)
  }

  @Test("have as classes the entities, with their superentities")
  func classes() throws {
    let source = try XMLStoreSource(XMLStoreMaker.library.bytes, model: StoreModels.library)
    let graph = source.makeGraph(GraphOptions())
    let note = graph.classRecord(of: try graph.object(2))
    #expect(note.hierarchy == ["Note", "Item", "NSManagedObject"])
    #expect(
      graph.keys(ofShape: try graph.object(1).shape) == [
        "isOpen", "sortIndex", "title", "items", "parent", "tags",
      ])
  }

  @Test("are inspected like archives, each object as one that is reached")
  func inspection() throws {
    let source = try XMLStoreSource(XMLStoreMaker.library.bytes, model: StoreModels.library)
    let found = try source.inspect(limits: .standard)
    #expect(found.objects == 4 && found.reachable == 4 && found.references == 6 && found.isCyclic)
    #expect(found.classes.map { "\($0.count) \($0.name)" } == ["2 Folder", "1 Note", "1 Tag"])
    let keys = found.classes[0].keys.map { "\($0.key): \($0.types.joined(separator: ", "))" }
    #expect(
      keys == [
        "isOpen: bool", "sortIndex: nil", "title: nil, string", "items: orderedSet",
        "parent: Folder, nil", "tags: set",
      ])
  }

  @Test("need no metadata, and no numbers as identifiers")
  func handmade() throws {
    var maker = XMLStoreMaker(
      """
      <object type="tag" id="second"><attribute name="Name">b</attribute></object>
      <object type="Tag" id="first">
        <attribute name="NAME">a</attribute>
        <relationship name="taggedItems" idrefs="folder"/>
      </object>
      <object type="Tag"><attribute name="name">no identifier</attribute></object>
      <object type="Folder" id="folder"/>
      """)
    maker.model = nil
    let source = try XMLStoreSource(maker.bytes, model: StoreModels.library)
    #expect(
      StoreReading(source).lines == [
        "0 Folder", #"1 Tag name="b""#, #"2 Tag name="a" taggedItems={#0}"#,
        #"3 Tag name="no identifier""#,
      ])
    #expect((0..<4).map { source.storeKey(ofObject: $0)?.key } == [4, 1, 2, 3], "as in the file")
    #expect(source.metadata.uuid.isEmpty && source.metadata.versionHashes.isEmpty)
    #expect(source.archiver == "Core Data")
    #expect(checkGraph(source) == [])
  }

  @Test(
    "may be in any encoding of XML",
    arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func encodings(encoding: String.Encoding) throws {
    let text = XMLStoreMaker.library.text
    let bytes = try #require("\u{FEFF}\(text)".data(using: encoding))
    let source = try XMLStoreSource(ByteStorage(bytes), model: StoreModels.library)
    let plain = try XMLStoreSource(XMLStoreMaker.library.bytes, model: StoreModels.library)
    #expect(StoreReading(source).lines == StoreReading(plain).lines)
    #expect(CoreDataFileKind(ByteStorage(bytes).head) == .xml)
  }

  @Test(
    "may relate an object to very many",
    arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian])
  func manyLinks(encoding: String.Encoding) throws {
    // Among them a name with the marks that end other tags, and other values.
    let names = ["a>b'/>"] + (2...30_000).map { "z\($0)" }
    let tags = names.map { "<object type=\"TAG\" id=\"\($0)\"/>" }.joined(separator: "\n")
    let maker = XMLStoreMaker(
      """
      <object type="NOTE" id="z1">
        <relationship idrefs="\(names.joined(separator: " "))" type='0/0' name="tags"/>
      </object>
      \(tags)
      """)
    let mark = encoding == .utf8 ? "" : "\u{FEFF}"
    let bytes = try #require((mark + maker.text).data(using: encoding))
    let source = try XMLStoreSource(ByteStorage(bytes), model: StoreModels.library)
    let graph = source.makeGraph(GraphOptions())
    let note = try graph.object(0)
    let position = try #require(graph.position(of: "tags", in: note))
    guard case .collection(let id, let kind) = try graph.value(of: note, at: position) else {
      Issue.record("no collection")
      return
    }
    let elements = try graph.elements(of: id, kind)
    #expect(elements.count == 30_000)
    guard case .object(let first, _) = try graph.value(of: elements, at: 0) else { return }
    #expect(source.storeKey(ofObject: first)?.entity == "Tag")
  }

  @Test("hold an object once in a relationship, however often it is named")
  func repeatedDanglingLinks() throws {
    let source = try read(
      """
      <object type="TAG" id="z1"><relationship name="taggeditems" idrefs="z2 z3 z2 z2"/></object>
      <object type="NOTE" id="z3"/><object type="NOTE" id="z2"/>
      """)
    #expect(StoreReading(source).lines.last == "2 Tag taggedItems={#0 #1}")
  }

  // MARK: Mistakes

  @Test(
    "with a mistake are refused, with its line",
    arguments: [
      (
        "<object type='NOTES' id='z1'/>", "the model has no entity NOTES (line 31)"
      ),
      ("<object id='z1'/>", "the Core Data store is damaged: an object has no type (line 31)"),
      (
        "<object type='TAG' id='z1'/>\n<object type='TAG' id='z1'/>",
        "object z1 occurs twice (line 32)"
      ),
      (
        "<object type='TAG'><attribute name='size'>3</attribute></object>",
        "the model has no stored property Tag.size (line 31)"
      ),
      (
        "<object type='NOTE'><attribute name='isshown'>1</attribute></object>",
        "the model has no stored property Note.isshown (line 31)"
      ),
      (
        "<object type='TAG'><relationship name='owner' idrefs='z1'/></object>",
        "the model has no stored property Tag.owner (line 31)"
      ),
      (
        "<object type='TAG'><attribute name='name'>a</attribute><attribute name='NAME'/></object>",
        "the object has a duplicate key (line 31)"
      ),
      (
        "<object type='TAG'>\nred</object>",
        "text is not allowed here, only elements (line 32)"
      ),
      (
        "<object type='TAG'><value>3</value></object>",
        "the element <value> is not allowed here (line 31)"
      ),
      (
        "<object type='TAG'><attribute name='name'><b/></attribute></object>",
        "the element <b> is not allowed here (line 31)"
      ),
      (
        "<object type='NOTE'><attribute name='level'>three</attribute></object>",
        "the value is not an integer (line 31)"
      ),
      (
        "<object type='TAG'>", "the XML is not well-formed: an end tag does not match its start tag"
      ),
    ])
  func mistakes(objects: String, words: String) {
    let error = #expect(throws: ArchiveError.self) { try read(objects) }
    #expect(error.map { "\($0)".hasPrefix(words) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("leave out what the model does not have if it is empty")
  func emptyStrangers() throws {
    let source = try read(
      """
      <object type='TAG'>
        <attribute name='size' type='int32'> </attribute>
        <relationship name='owner' idrefs=' '></relationship>
      </object>
      """)
    #expect(StoreReading(source).lines == ["0 Tag"])
  }

  @Test("have links that lead nowhere once, however often they are written")
  func repeatedLinks() throws {
    let words = Array(repeating: "x", count: 10_000).joined(separator: " ")
    let source = try read(
      """
      <object type="NOTE" id="first"><relationship name="tags" idrefs="\(words) y"/></object>
      """, salvages: true)
    #expect(
      source.losses.map { "\($0)" } == [
        "refers to object x, which does not exist (Note first, tags)",
        "refers to object y, which does not exist (Note first, tags)",
      ])
  }

  @Test("tell of links that lead nowhere, where they are")
  func danglingLinks() throws {
    let objects = """
      <object type="NOTE" id="z1">
        <relationship name="parent" idrefs="z99"/><relationship name="tags" idrefs="z2 zz z1"/>
      </object>
      <object type="NOTE" id="z3"><relationship name="parent" idrefs="z4 z5"/></object>
      <object type="TAG" id="z2"/>
      <object type="FOLDER" id="z4"/><object type="FOLDER" id="z5"/>
      """
    let words = [
      "refers to object z99, which does not exist (Note z1, parent)",
      "refers to object zz, which does not exist (Note z1, tags)",
      "an object of the class Note is not allowed here (Note z1, tags)",
      "the value is not a single object (Note z3, parent)",
    ]
    let source = try read(objects)
    #expect(
      StoreReading(source).lines.dropFirst(2) == [
        "2 Note parent=<\(words[0])> tags=<\(words[1])>", "3 Note parent=<\(words[3])>", "4 Tag",
      ])
    #expect(checkGraph(source) == [])

    let salvaged = try read(objects, salvages: true)
    #expect(StoreReading(salvaged).lines.dropFirst(2) == ["2 Note tags={#4}", "3 Note", "4 Tag"])
    #expect(salvaged.losses.map { "\($0)" } == words)
    #expect(checkGraph(salvaged) == [])
  }

  @Test("that are damaged are read as far as they can be, when asked")
  func salvaging() throws {
    let source = try read(
      """
      <object type='TAG' id='z1'><attribute name='name'>a</attribute></object>
      <object type='NOPE' id='z2'><attribute name='name'>b</attribute></object>
      <object type='NOTE' id='z3'><attribute name='level'>x</attribute>
      <attribute name='title'>c</attribute></object>
      <object type='TAG' id='z4'><attribute name='name'>d</attribute><
      """, salvages: true)
    #expect(
      StoreReading(source).lines == [
        #"0 Note title="c""#, #"1 Tag name="a""#, #"2 Tag name="d""#,
      ])
    #expect(source.losses.map(\.code) == [.unknownEntity, .wrongKind, .malformedXML])
  }

  @Test("are refused where names differ only in case")
  func ambiguousNames() throws {
    var model = StoreModels.library.model
    model.entities[3].attributes.append(Attribute(name: "Name", type: .string))
    let file = XMLStoreMaker("<object type='TAG'><attribute name='name'>a</attribute></object>")
    let error = #expect(throws: ArchiveError.self) {
      try XMLStoreSource(file.bytes, model: ModelSource(model))
    }
    #expect(
      error?.description
        == "the store does not keep the case of names, and Name and name differ only in case "
        + "(line 31)")
    model.entities[3].attributes.removeLast()
    model.entities.append(Entity(name: "TAG"))
    #expect(throws: ArchiveError(.ambiguousName, at: .line(31, column: 0), name: "TAG and Tag")) {
      try XMLStoreSource(file.bytes, model: ModelSource(model))
    }
  }

  @Test("end in an error where they are beyond the limits")
  func limits() {
    var limits = ReadingLimits.standard
    limits.xmlBytes = 100
    let long = String(repeating: "x", count: 200)
    #expect(throws: ArchiveError.self) {
      try read(
        "<object type='TAG'><attribute name='name'>\(long)</attribute></object>", limits: limits)
    }
    limits = .standard
    limits.values = 10
    #expect(throws: ArchiveError.self) {
      try read(String(repeating: "<object type='TAG'/>", count: 6), limits: limits)
    }
    let references = (0..<20).map { "z\($0)" }.joined(separator: " ")
    #expect(throws: ArchiveError.self) {
      try read(
        "<object type='TAG'><relationship name='taggeditems' idrefs='\(references)'/></object>",
        limits: limits)
    }
    limits = .standard
    limits.depth = 20
    var maker = XMLStoreMaker("")
    maker.model = nil
    maker.objects =
      "<databaseInfo>" + String(repeating: "<a>", count: 30) + String(repeating: "</a>", count: 30)
      + "</databaseInfo>"
    #expect(throws: ArchiveError.self) {
      try XMLStoreSource(maker.bytes, model: StoreModels.library, limits: limits)
    }
    // Each object has all keys of its entity, so small ones take more memory than room in the file.
    limits = .standard
    limits.expansion = 1
    #expect(throws: ArchiveError.self) {
      try read(String(repeating: "<object type='NOTE'/>", count: 10_000), limits: limits)
    }
  }

  @Test("declare no entities, and no element with very many attributes")
  func hostileMarkup() {
    let bomb = """
      <!DOCTYPE database [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
      <database><object type="TAG"><attribute name="name">&b;</attribute></object></database>
      """
    let error = #expect(throws: ArchiveError.self) {
      try XMLStoreSource(ByteStorage(Array(bomb.utf8)), model: StoreModels.library)
    }
    #expect(error?.code == .entityDeclared)
    let attributes = (0..<30_000).map { "a\($0)='1'" }.joined(separator: " ")
    #expect(throws: ArchiveError.self) { try read("<object \(attributes) type='TAG'/>") }
  }

  @Test("are told from other documents", arguments: ["<plist/>", "<databases/>", "", "<database"])
  func otherDocuments(text: String) {
    let file = ByteStorage(Array(text.utf8))
    #expect(throws: ArchiveError.self) { try XMLStoreSource(file, model: StoreModels.library) }
    #expect(throws: ArchiveError.self) { try XMLStoreSource.metadata(of: file) }
  }
}
