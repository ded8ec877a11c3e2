import ArchiveReader
import ArchiveWriter
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import Testing

@Suite("Binary stores of Core Data")
struct BinaryStoreTests {
  private func read(
    _ nodes: [BinaryStoreMaker.Node], salvages: Bool = false
  ) throws(ArchiveError) -> BinaryStoreSource {
    var maker = BinaryStoreMaker()
    maker.nodes = nodes
    return try BinaryStoreSource(
      maker.storage, model: StoreModels.library, salvages: salvages)
  }

  private func tag(
    _ key: Int64, ownKey: Int64? = nil, entity: String = "Tag",
    _ values: [PropertyListValue] = ["red"], relationships: Int = 1,
    related: [(name: String, keys: [Int64])] = []
  ) -> BinaryStoreMaker.Node {
    BinaryStoreMaker.Node(
      key: key, ownKey: ownKey, entity: entity, values: values, relationships: relationships,
      related: related)
  }

  @Test("give the objects by entity and key, all values and links")
  func everything() throws {
    let source = try BinaryStoreSource(
      BinaryStoreMaker.library.storage, model: StoreModels.library)
    let lines = [
      #"0 Folder isOpen=false parent=#1"#,
      #"1 Folder isOpen=true title="" items=[#2 #0]"#,
      #"2 Note URL=<https://example.org/> amount=3.33d body=<000102> changed=@253616400.25 "#
        + #"count=9223372036854775807 ease=0.1 id=6BA7B810-9DAD-11D1-80B4-00C04FD430C8 level=3 "#
        + #"sortIndex=-7 style={"size": 12 "font": #5} title="Konst & Teknik" weight=2.5 "#
        + "parent=#1 tags={#3}",
      #"3 Tag name="red" taggedItems={#2}"#,
    ]
    let reading = StoreReading(source).lines
    #expect(Array(reading.prefix(4)) == lines)
    // The object in the transformable value.
    #expect(reading.dropFirst(4).map { $0.drop { $0 != " " } } == [#" Font name="Geneva""#])
    #expect(checkGraph(source) == [])
  }

  @Test("list what no store has: in a node, beside the map and in the frame of the archive")
  func unreadKeys() throws {
    #expect(
      try BinaryStoreSource(BinaryStoreMaker.library.storage, model: StoreModels.library).unreadKeys
        == [:])
    var maker = BinaryStoreMaker()
    var node = tag(5)
    node.others = [KeyValue("note", "kept"), KeyValue("colour", 3)]
    maker.nodes = [node, tag(6)]
    maker.archive.setTop("later", "kept")
    let source = try BinaryStoreSource(maker.storage, model: StoreModels.library)
    #expect(
      source.unreadKeys == [
        UnreadKey(owner: "NSDictionaryMapNode", key: "note"): 1,
        UnreadKey(owner: "NSDictionaryMapNode", key: "colour"): 1,
        UnreadKey(owner: "$top", key: "later"): 1,
      ])
    maker.metadataArchive.setTop("later", "kept")
    maker.metadataArchive.setTop("own", "kept")
    #expect(
      try BinaryStoreSource(maker.storage, model: StoreModels.library).unreadKeys
        .filter { $0.key.owner == "$top" } == [
          UnreadKey(owner: "$top", key: "later"): 2, UnreadKey(owner: "$top", key: "own"): 1,
        ])
  }

  @Test("count the objects that nothing refers to, in both of their archives")
  func unreachableObjects() throws {
    func count(_ maker: BinaryStoreMaker) throws -> Int {
      try BinaryStoreSource(maker.storage, model: StoreModels.library)
        .makeGraph(GraphOptions()).countUnreachedObjects()
    }
    var maker = BinaryStoreMaker.library
    #expect(try count(maker) == 0)
    let inner = maker.archive.string("kept")
    _ = maker.archive.array([inner])
    #expect(try count(maker) == 2)
    _ = maker.metadataArchive.string("kept")
    #expect(try count(maker) == 3)
  }

  @Test("say what they are")
  func metadata() throws {
    let file = BinaryStoreMaker.library.storage
    let source = try BinaryStoreSource(file, model: StoreModels.library)
    #expect(source.format == .binaryStore)
    #expect(source.archiver == "Core Data" && source.version == 481)
    #expect(source.holdsEveryObject && source.roots.isEmpty && source.keepsBytes)
    #expect(source.metadata.uuid == "2CEA163C-E4AB-44E5-A33A-B43DFE633544")
    #expect(source.metadata.versionHashes == StoreModels.library.hashes())
    #expect(source.metadata.applicationValues.map(\.key) == ["lastOpened"])
    #expect(try BinaryStoreSource.metadata(of: file) == source.metadata)
    #expect(source.storeKey(ofObject: 2)?.key == 104)
    #expect(source.storeKey(ofObject: 4) == nil, "an object of a value")
  }

  @Test("may hold values of Foundation's classes, and objects of others, in transformable values")
  func transformables() throws {
    var maker = BinaryStoreMaker()
    let color = maker.archive.instance(
      of: "NSColor",
      [
        "NSColorSpace": 1, "NSRGB": .data(Data("1 0 0".utf8)),
        "NSCustomColorSpace": maker.archive.instance(of: "NSColorSpace", ["NSID": 7]),
      ])
    let slot = maker.archive.reserve()
    let font = maker.archive.fill(
      slot, className: "Font", ["self": slot.reference, "name": "Geneva"])
    let values: [PropertyListValue] = [
      color, font, "a text", 3, maker.archive.array([font, maker.archive.array([color])]),
      maker.archive.date(secondsSince2001: 1), .null,
    ]
    maker.nodes = values.enumerated().map { place, value in
      tag(
        Int64(place + 1), entity: "Note", Array(repeating: .null, count: 10) + [value, .null],
        relationships: 2)
    }
    let source = try BinaryStoreSource(maker.storage, model: StoreModels.library)
    #expect(checkGraph(source) == [])
    #expect(checkGraph(source, GraphOptions(readsFoundationValues: false)) == [])
    #expect(checkGraph(source, GraphOptions(classesReadAsObjects: ["NSDate", "NSArray"])) == [])
    let lines = StoreReading(source).lines
    #expect(lines.count == 8, "the notes and the font, and no part of the color: \(lines)")
    let whole = StoreReading(source, GraphOptions(readsFoundationValues: false)).lines
    #expect(whole.count == 10, "the color and its space, too: \(whole)")

    // A value can be taken out as an archive of its own.
    let graph = source.makeGraph(GraphOptions())
    let note = try graph.object(1)
    let position = try #require(graph.position(of: "style", in: note))
    let data = try #require(try graph.archivedData(of: note, at: position, limits: .standard))
    let archive = try KeyedArchive(bytes: data)
    let inspection = try archive.inspect(limits: .standard)
    #expect(inspection.classes.map(\.name) == ["Font"])
    #expect(inspection.isCyclic)
  }

  // MARK: The model

  @Test("are read by no other model than their own")
  func otherModels() throws {
    let maker = BinaryStoreMaker.library
    #expect(throws: ArchiveError(.otherModel, name: "Tag")) {
      try BinaryStoreSource(maker.storage, model: StoreModels.later, salvages: true)
    }
    var unknown = maker
    unknown.hashes = [:]
    let error = #expect(throws: ArchiveError.self) {
      try BinaryStoreSource(unknown.storage, model: StoreModels.library)
    }
    #expect(error?.code == .damagedMetadata)
  }

  @Test("may be those of a configuration, which has some of the entities")
  func configurations() throws {
    var maker = BinaryStoreMaker()
    maker.hashes = maker.model.hashes().filter { $0.key == "Tag" }
    maker.nodes = [tag(1)]
    let source = try BinaryStoreSource(maker.storage, model: StoreModels.library)
    #expect(StoreReading(source).lines == [#"0 Tag name="red""#])
    maker.nodes.append(tag(2, entity: "Folder", [.null, .null, 1], relationships: 3))
    #expect(throws: ArchiveError.self) {
      try BinaryStoreSource(maker.storage, model: StoreModels.library)
    }
  }

  // MARK: Mistakes

  @Test("with a mistake in a node are refused; without the node, the rest is read")
  func mistakes() throws {
    let cases: [(BinaryStoreMaker.Node, String)] = [
      (
        tag(2, ownKey: 3),
        "the Core Data store is damaged: a node has another key than the one it is under"
      ),
      (tag(1), "object 1 occurs twice"), (tag(2, entity: "Tags"), "the model has no entity Tags"),
      (
        tag(2, ["red", "blue"]),
        "the object has 3 values, where Tag has 2 properties"
      ),
      (tag(2, [], relationships: 1), "the object has 1 values, where Tag has 2 properties"),
      (tag(2, [3]), "the value is not a text"),
      (
        tag(2, ["red", "blue"], relationships: 0),
        "the Core Data store is damaged: a value is in the place of a relationship"
      ),
      (tag(2, ["red"], related: [("owner", [1])]), "the model has no stored property Tag.owner"),
    ]
    for (node, words) in cases {
      let error = #expect(throws: ArchiveError.self) { try read([tag(1), node]) }
      #expect(error.map { "\($0)".hasPrefix(words) } == true, "\(error.map { "\($0)" } ?? words)")
      let salvaged = try read([tag(1), node], salvages: true)
      #expect(StoreReading(salvaged).lines.first == #"0 Tag name="red""#)
      #expect(salvaged.losses.count == 1)
      #expect(checkGraph(salvaged) == [])
    }
  }

  @Test(
    "with a number that its attribute does not hold are refused; without it, the rest is read",
    arguments: [
      (0, 3_000_000_000, "the number does not fit an integer of 32 bits"),
      (9, 40_000, "the number does not fit an integer of 16 bits"),
      (11, 1e300, "the number does not fit a number of single precision"),
      (6, 1e30, "the value is not an integer"),
    ] as [(Int, PropertyListValue, String)])
  func numbersBeyond(place: Int, value: PropertyListValue, words: String) throws {
    var values = Array(repeating: PropertyListValue.null, count: 12)
    values[place] = value
    let nodes = [tag(1, entity: "Note", values, relationships: 2)]
    let error = #expect(throws: ArchiveError.self) { try read(nodes) }
    #expect(error.map { "\($0)".hasPrefix(words) } == true, "\(error.map { "\($0)" } ?? "")")
    let salvaged = try read(nodes, salvages: true)
    #expect(salvaged.objectCount == 1 && salvaged.losses.map(\.code) == [error?.code])
  }

  @Test("do not let nodes share a row, which could make many objects of a small file")
  func sharedRows() throws {
    var archive = KeyedArchiveBuilder()
    let row = archive.array(["red", archive.null()])
    let nodes = (1...3).map { key in
      archive.instance(
        of: "NSDictionaryMapNode",
        [
          "NSPrimaryKey64": .integer(Int64(key)), "NSEntityName": archive.string("Tag"),
          "NSAttributeValues": row,
        ])
    }
    archive.setTop("mapData", archive.dictionary(keys: [1, 2, 3], values: nodes))
    let file = ByteStorage(
      BinaryStoreMaker.file(
        data: archive.binary(), metadata: BinaryStoreMaker.library.metadata))
    let error = #expect(throws: ArchiveError.self) {
      try BinaryStoreSource(file, model: StoreModels.library)
    }
    #expect(error?.name == "several nodes have one row of values")
    let salvaged = try BinaryStoreSource(file, model: StoreModels.library, salvages: true)
    #expect(salvaged.objectCount == 1 && salvaged.losses.count == 2)
  }

  @Test("tell of links that lead nowhere, where they are")
  func danglingLinks() throws {
    let nodes = [
      tag(1, ["red"], related: [("taggedItems", [1, 99])]),
      tag(
        2, entity: "Folder", [.null, .null, .null], relationships: 3, related: [("parent", [98])]),
    ]
    let words = [
      "refers to object 98, which does not exist (Folder 2, parent)",
      "an object of the class Tag is not allowed here (Tag 1, taggedItems)",
      "refers to object 99, which does not exist (Tag 1, taggedItems)",
    ]
    #expect(
      StoreReading(try read(nodes)).lines == [
        "0 Folder parent=<\(words[0])>", "1 Tag name=\"red\" taggedItems=<\(words[1])>",
      ])
    let salvaged = try read(nodes, salvages: true)
    #expect(StoreReading(salvaged).lines == ["0 Folder", #"1 Tag name="red""#])
    #expect(salvaged.losses.map { "\($0)" } == words)
  }

  @Test(
    "with a wrong number in the header are refused",
    arguments: [
      (8, 1, "version 16777217 of its header is unknown"),
      (16, 0xFF, "its metadata is outside of the file"), (24, 0x7F, "its metadata is outside"),
      (31, 1, "its metadata is outside of the file"), (23, 40, "its metadata is outside"),
      (32, 0x80, "its data is outside of the file"), (39, 63, "its data is outside of the file"),
      (40, 0xFF, "its data is outside of the file"), (45, 1, "its data is outside of the file"),
    ])
  func wrongHeader(offset: Int, byte: UInt8, words: String) {
    var bytes = BinaryStoreMaker.library.bytes
    bytes[offset] = offset == 31 ? bytes[31] &+ byte : offset == 23 ? bytes[23] &+ byte : byte
    let error = #expect(throws: ArchiveError.self) {
      try BinaryStoreSource(ByteStorage(bytes), model: StoreModels.library)
    }
    #expect(error?.code == .damagedStore)
    #expect(error?.name?.hasPrefix(words) == true, "\(error?.name ?? "")")
  }

  @Test("whose parts overlap, are empty or are cut off are refused")
  func damagedParts() {
    let whole = BinaryStoreMaker.library.bytes
    var overlapping = whole
    overlapping.replaceSubrange(16..<32, with: whole[32..<48])
    var empty = whole
    empty.replaceSubrange(40..<48, with: Array(repeating: 0, count: 8))
    for bytes in [overlapping, empty] {
      #expect(throws: ArchiveError.self) {
        try BinaryStoreSource(ByteStorage(bytes), model: StoreModels.library)
      }
    }
    for count in stride(from: 0, to: whole.count, by: 7) {
      #expect(throws: ArchiveError.self) {
        try BinaryStoreSource(ByteStorage(whole.prefix(count)), model: StoreModels.library)
      }
    }
  }
}
