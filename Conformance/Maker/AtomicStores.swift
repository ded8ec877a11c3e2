import ArchiveWriter
import Foundation
import StoreFuzzing
import TestSupport

/// XML and binary stores of Core Data, whose model is a file beside them.
extension StoreCases {
  /// The model.
  static var model: Data { SampleStore.compiledModel() }

  static func atomic() throws -> Case {
    Case(
      "coredata/atomic", "A store that is read as a whole; model.mom is its model.",
      [("xml", Data(xml.utf8)), ("storedata", try binary())],
      Reading(
        ["Note": [.ref(1)], "Tag": [.ref(2)]],
        note([
          ("amount", ["decimal": "10.25"]), ("body", .data([0, 1, 2])), ("changed", .date(0.5)),
          ("ease", .real(2.5)), ("isOpen", true), ("level", -3), ("title", "Grüße < b"),
          ("tags", .set(.ref(2))),
        ]), tag([("notes", .set(.ref(1)))])))
  }

  /// The version hashes of the model, in the order of the names of the entities.
  private static var hashes: [(name: String, hash: Data)] {
    SampleStore.model.hashes().sorted { $0.key < $1.key }.map { (name: $0.key, hash: $0.value) }
  }

  private static var xml: String {
    let pairs = hashes.map { name, hash in
      "<key>\(name)</key><data>\(hash.base64EncodedString())</data>"
    }
    return """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>B4FC79D0-E654-43EF-9020-A5273B3F104A</UUID>
              <nextObjectID>6</nextObjectID>
              <metadata>
                  <plist version="1.0">
                      <dict>
                          <key>NSStoreModelVersionHashes</key>
                          <dict>\(pairs.joined())</dict>
                          <key>NSStoreModelVersionHashesVersion</key><integer>3</integer>
                      </dict>
                  </plist>
              </metadata>
          </databaseInfo>
          <object type="NOTE" id="z4">
              <attribute name="title" type="string">Grüße \\u3c00 b</attribute>
              <attribute name="level" type="int16">-3</attribute>
              <attribute name="isopen" type="bool">1</attribute>
              <attribute name="ease" type="double">2.5</attribute>
              <attribute name="changed" type="date">0.50000000000000000000</attribute>
              <attribute name="body" type="binary">AAEC</attribute>
              <attribute name="amount" type="decimal">10.25</attribute>
              <relationship name="tags" type="0/0" destination="TAG" idrefs="z5"></relationship>
          </object>
          <object type="TAG" id="z5">
              <relationship name="notes" type="0/0" destination="NOTE" idrefs="z4"></relationship>
          </object>
      </database>
      """
  }

  private static func binary() throws -> Data {
    var archive = KeyedArchiveBuilder()
    let null = archive.null()
    let row: [PropertyListValue] = [
      try archive.decimal("10.25"), archive.mutableData(Data([0, 1, 2])),
      archive.date(secondsSince2001: 0.5), 2.5, null, true, -3, null, null,
      archive.mutableString("Grüße < b"),
    ]
    let relationships = Array(repeating: null, count: 3)
    let nodes = [
      archive.storeNode(
        key: 4, entity: "Note", row: row + relationships, related: [("tags", [5])], others: []),
      archive.storeNode(
        key: 5, entity: "Tag", row: relationships, related: [("notes", [4])], others: []),
    ]
    archive.setTop(
      "mapData", archive.dictionary(keys: [4, 5], values: nodes, className: "NSMutableDictionary"))

    var metadata = KeyedArchiveBuilder()
    let listed = metadata.dictionary(
      keys: hashes.map { .string($0.name) }, values: hashes.map { metadata.mutableData($0.hash) })
    let uuid = metadata.mutableString("B4FC79D0-E654-43EF-9020-A5273B3F104A")
    metadata.setTop(
      "metadata",
      metadata.dictionary([
        "NSStoreType": "Binary", "NSStoreUUID": uuid, "NSStoreModelVersionHashes": listed,
        "NSStoreModelVersionHashesVersion": 3,
      ]))
    return Data(
      BinaryStoreFile.bytes(data: archive.binary(), metadata: metadata.binary(), lastKey: 5))
  }
}
