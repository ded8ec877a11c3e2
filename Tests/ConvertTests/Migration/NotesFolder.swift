import Foundation
import TestSupport
import Testing

/// A folder with versions of a model of notes, and a store of the first.
enum NotesFolder {
  /// The UUID of the store.
  static let uuid = "5C9A1B3E-0F2D-4E6A-8B7C-1D2E3F405162"

  private static let versions: KeyValuePairs = [
    "Notes": """
    <entity name="Folder">
      <attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note" \
    inverseName="folder"/>
    </entity>
    <entity name="Note">
      <attribute name="body" optional="YES" attributeType="String"/>
      <attribute name="length" optional="YES" attributeType="Integer 16"/>
      <attribute name="rank" attributeType="Integer 32" defaultValueString="0"/>
      <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" \
    inverseName="notes"/>
    </entity>
    """,
    // Note is called Memo, and its body text; it has no rank, and a colour.
    "Notes 2": """
    <entity name="Folder">
      <attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="memos" optional="YES" toMany="YES" destinationEntity="Memo" \
    inverseName="folder" elementID="notes"/>
    </entity>
    <entity name="Memo" elementID="Note">
      <attribute name="color" attributeType="String" defaultValueString="white"/>
      <attribute name="length" optional="YES" attributeType="Integer 64"/>
      <attribute name="text" optional="YES" attributeType="String" elementID="body"/>
      <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" \
    inverseName="memos"/>
    </entity>
    """,
    // The length is a date: that is not inferred.
    "Notes 3": """
    <entity name="Folder">
      <attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="memos" optional="YES" toMany="YES" destinationEntity="Memo" \
    inverseName="folder"/>
    </entity>
    <entity name="Memo" elementID="Note">
      <attribute name="length" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
      <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" \
    inverseName="memos"/>
    </entity>
    """,
  ]

  /// The path of a version.
  static func version(_ name: String) -> String { "Notes.xcdatamodeld/\(name).xcdatamodel" }

  /// Makes a version the current one.
  static func makeCurrent(_ name: String, in folder: TemporaryFolder) throws {
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>\(name).xcdatamodel</string></dict></plist>
      """, to: "Notes.xcdatamodeld/.xccurrentversion")
  }

  /// Makes the folder: two folders with three notes, and what the application keeps with the store.
  static func make() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, entities) in versions {
      try folder.write(
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        \(entities)
        </model>
        """, to: "\(version(name))/contents")
    }
    let made = try folder.convert(
      "model", version("Notes"), "--layout", "coredata", "--create-store", "old.sqlite")
    try #require(made.status == 0, "\(made)")
    let path = folder.file(named: "old.sqlite")
    let list = try metadata(of: path).merging(["LastSync": "Tuesday"]) { $1 }
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    let editor = try StoreEditor(path)
    try editor.run(
      """
      BEGIN;
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'Home'), (2, 1, 1, 'Work');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZBODY, ZLENGTH, ZRANK, ZFOLDER) VALUES
        (1, 2, 1, 'Milk', 4, 1, 1), (2, 2, 1, NULL, NULL, 2, 1), (5, 2, 3, 'Tea', 3, 3, 2);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Folder';
      UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Note';
      UPDATE Z_METADATA SET Z_UUID = '\(uuid)',
        Z_PLIST = x'\(bytes.map { String(format: "%02x", $0) }.joined())';
      COMMIT;
      """)
    editor.close()
    return folder
  }

  /// The metadata of a store.
  static func metadata(of path: String) throws -> [String: Any] {
    let text = try StoreQuery(path).value("SELECT hex(Z_PLIST) FROM Z_METADATA")
    var bytes = Data()
    var rest = text[...]
    while !rest.isEmpty {
      bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
      rest = rest.dropFirst(2)
    }
    let list = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    return try #require(list as? [String: Any])
  }
}
