import ArchiveReader
import CoreDataStores
import DataModel
import Foundation

/// Makes XML stores as Core Data writes them.
struct XMLStoreMaker {
  var uuid = "B4FC79D0-E654-43EF-9020-A5273B3F104A"
  /// The model whose hashes stand in the metadata; nil for a store without metadata.
  var model: ModelSource? = StoreModels.library
  /// What stands in `database` behind `databaseInfo`.
  var objects: String

  init(_ objects: String) {
    self.objects = objects
  }

  /// The whole document.
  var text: String {
    """
    <?xml version="1.0"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
    \(model.map(info) ?? "")\(objects)
    </database>
    """
  }

  var bytes: ByteStorage { ByteStorage(Array(text.utf8)) }

  private func info(_ model: ModelSource) -> String {
    let hashes = model.hashes().sorted { $0.key < $1.key }.map { name, hash in
      "<key>\(name)</key><data>\n\t\t\(hash.base64EncodedString())\n\t\t</data>"
    }
    return """
          <databaseInfo>
              <version>134481920</version>
              <UUID>\(uuid)</UUID>
              <nextObjectID>175</nextObjectID>
              <metadata>
                  <plist version="1.0">
                      <dict>
                          <key>BuildNumber</key><integer>591</integer>
                          <key>NSPersistenceFrameworkVersion</key><integer>186</integer>
                          <key>NSStoreModelVersionHashes</key>
                          <dict>\(hashes.joined())</dict>
                          <key>NSStoreModelVersionHashesVersion</key><integer>3</integer>
                          <key>NSStoreModelVersionIdentifiers</key><array><string>1.0</string></array>
                          <key>Path &amp; name</key><string>a &lt; b</string>
                      </dict>
                  </plist>
              </metadata>
          </databaseInfo>

      """
  }

  /// Two folders, a note with a value of each type, and a tag: the objects of most tests.
  static let library = XMLStoreMaker(
    """
        <object type="NOTE" id="z104">
            <attribute name="title" type="string">\\u2600 Konst \\u2600 \\\\Teknik</attribute>
            <attribute name="sortindex" type="int32">-7</attribute>
            <attribute name="url" type="uri">https://example.org/?a=1\\u2600b=2</attribute>
            <attribute name="amount" type="decimal">3.3300000000000000000000000000000001</attribute>
            <attribute name="body" type="binary">AAEC
      AwQ=
      </attribute>
            <attribute name="changed" type="date">253616400.25000000000000000000</attribute>
            <attribute name="count" type="int64">9223372036854775807</attribute>
            <attribute name="ease" type="double">0.1</attribute>
            <attribute name="id" type="uuid">6BA7B810-9DAD-11D1-80B4-00C04FD430C8</attribute>
            <attribute name="level" type="int16">3</attribute>
            <attribute name="style" type="transformable">YnBsaXN0</attribute>
            <attribute name="weight" type="float">2.5</attribute>
            <relationship name="parent" type="0/1" destination="FOLDER" idrefs="z20"></relationship>
            <relationship name="tags" type="0/0" destination="TAG" idrefs="z5"></relationship>
        </object>
        <object type="FOLDER" id="z20">
            <attribute name="title" type="string"></attribute>
            <attribute name="isopen" type="bool">1</attribute>
            <relationship name="items" type="0/0" destination="ITEM" idrefs="z104 z3"></relationship>
            <relationship name="tags" type="0/0" destination="TAG"></relationship>
        </object>
        <object type="FOLDER" id="z3">
            <attribute name="isopen" type="bool">0</attribute>
            <relationship name="parent" type="0/1" destination="FOLDER" idrefs="z20"></relationship>
            <relationship name="items" type="0/0" destination="ITEM"></relationship>
        </object>
        <object type="TAG" id="z5">
            <attribute name="name" type="string">red</attribute>
            <relationship name="taggeditems" type="0/0" destination="ITEM" idrefs="z104"></relationship>
        </object>
    """)
}
