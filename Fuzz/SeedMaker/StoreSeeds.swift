import ArchiveWriter
import Foundation
import StoreFuzzing

/// Core Data stores with something of every kind, of the models of the fuzz targets.
enum StoreSeeds {
  /// Two objects in XML, with escapes, links and metadata.
  static let xml = [
    Seed(
      "notes.xml",
      Data(
        #"""
        <?xml version="1.0"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
        <database>
          <databaseInfo>
            <version>134481920</version><UUID>B4FC79D0-E654-43EF-9020-A5273B3F104A</UUID>
            <metadata><plist version="1.0"><dict>
              <key>NSStoreModelVersionHashes</key><dict><key>Note</key><data>AAEC</data></dict>
            </dict></plist></metadata>
          </databaseInfo>
          <object type="NOTE" id="z2">
            <attribute name="title" type="string">a \u2600 \\ &amp; \u3dd8\u00de</attribute>
            <attribute name="level" type="int16">-3</attribute>
            <attribute name="isopen" type="bool">1</attribute>
            <attribute name="ease" type="double">0.5</attribute>
            <attribute name="amount" type="decimal">1.50e2</attribute>
            <attribute name="changed" type="date">259257111.02038100361824035645</attribute>
            <attribute name="body" type="binary">AAEC
        AwQ=</attribute>
            <attribute name="id" type="uuid">6BA7B810-9DAD-11D1-80B4-00C04FD430C8</attribute>
            <attribute name="link" type="uri">http://a/b</attribute>
            <attribute name="style" type="transformable">YnBsaXN0</attribute>
            <relationship name="parent" type="0/1" destination="NOTE" idrefs="z1"></relationship>
          </object>
          <object type="BOOK" id="z1">
            <relationship name="notes" type="0/0" destination="NOTE" idrefs="z2 z1"></relationship>
          </object>
        </database>
        """#.utf8))
  ]

  /// The data of a binary store of two objects.
  static func binary() throws -> [Seed] {
    var archive = KeyedArchiveBuilder()
    let null = archive.null()
    let font = archive.instance(of: "Font", ["name": "Geneva"])
    let rows: [[PropertyListValue]] = [
      [
        try archive.decimal("1.5"), archive.mutableData(Data([0, 1])),
        archive.date(secondsSince2001: 1),
        archive.uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))),
        3, archive.url("http://a/b"), archive.array([font, "a"]), "title", null, null,
      ],
      Array(repeating: null, count: 10),
    ]
    let nodes = rows.enumerated().map { place, row -> PropertyListValue in
      let keys = archive.array([.integer(Int64(2 - place))])
      let related = archive.dictionary([place == 0 ? "parent" : "notes": keys])
      return archive.instance(
        of: "NSDictionaryMapNode",
        [
          "NSPrimaryKey64": .integer(Int64(place + 1)), "NSEntityName": archive.string("Note"),
          "NSAttributeValues": archive.array(row), "NSRelatedNodes": related,
        ])
    }
    archive.setTop(
      "mapData",
      archive.dictionary(keys: [1, 2], values: nodes, className: "NSMutableDictionary"))
    return [Seed("notes.data", archive.binary())]
  }

  /// A whole store, and changes of it: each byte of the latter stands for a choice.
  static func sqlite() throws -> [Seed] {
    let path = NSTemporaryDirectory() + "seed-\(ProcessInfo.processInfo.processIdentifier)"
    FileManager.default.createFile(atPath: path, contents: nil)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try SampleStore.make(at: path)
    let store = try Data(contentsOf: URL(fileURLWithPath: path))
    // One change of each kind.
    let edits = Data((UInt8(0)..<20).flatMap { [$0, 2, 1, $0, $0, 7, 9, 5] })
    return [Seed("notes.sqlite", store), Seed("edits", edits)]
  }
}
