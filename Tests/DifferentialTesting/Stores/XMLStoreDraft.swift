import DataModel
import Foundation

/// An XML store as Core Data writes it, before it is written.
struct XMLStoreDraft {
  struct Object {
    var type: String
    var id: String
    var attributes: [(name: String, type: String, text: String)]
    var relationships: [(name: String, destination: String, ids: [String])]
  }

  let content: StoreContent
  /// What an application keeps in the metadata.
  var metadata: [(key: String, text: String)] = []
  var objects: [Object] = []

  init(_ content: StoreContent) {
    self.content = content
    objects = content.objects.enumerated().map { number, object in
      let entity = content.whole(object.entity)
      return Object(
        type: object.entity.uppercased(), id: Self.id(number),
        attributes: entity.attributes.compactMap { attribute in
          object.values[attribute.name].map {
            (attribute.name, attribute.type.rawValue, $0.xml(attribute.type))
          }
        },
        relationships: entity.relationships.map { relationship in
          let ids = (object.links[relationship.name] ?? []).map(Self.id)
          return (relationship.name, relationship.destinations[0].uppercased(), ids)
        })
    }
  }

  static func id(_ object: Int) -> String { "z\(object + 101)" }

  var bytes: Data {
    let hashes = ModelSource(content.model).hashes().sorted { $0.key < $1.key }.map {
      "<key>\($0)</key><data>\($1.base64EncodedString())</data>"
    }
    let own = metadata.map { "<key>\($0.key)</key><string>\($0.text)</string>" }
    return Data(
      """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database><databaseInfo><version>134481920</version>
      <UUID>B4FC79D0-E654-43EF-9020-A5273B3F104A</UUID><nextObjectID>999</nextObjectID>
      <metadata><plist version="1.0"><dict>
      <key>NSPersistenceFrameworkVersion</key><integer>186</integer>
      <key>NSStoreModelVersionHashes</key><dict>\(hashes.joined())</dict>
      <key>NSStoreModelVersionHashesVersion</key><integer>3</integer>
      <key>NSStoreModelVersionIdentifiers</key><array></array>\(own.joined())
      </dict></plist></metadata></databaseInfo>
      \(objects.map(Self.element).joined(separator: "\n"))
      </database>

      """.utf8)
  }

  private static func element(_ object: Object) -> String {
    let attributes = object.attributes.map {
      "<attribute name=\"\($0.name)\" type=\"\($0.type)\">\($0.text)</attribute>"
    }
    let relationships = object.relationships.map { relationship in
      let ids = relationship.ids.joined(separator: " ")
      return "<relationship name=\"\(relationship.name)\" type=\"0/0\" "
        + "destination=\"\(relationship.destination)\" idrefs=\"\(ids)\"></relationship>"
    }
    return "<object type=\"\(object.type)\" id=\"\(object.id)\">\n"
      + "\((attributes + relationships).joined(separator: "\n"))</object>"
  }
}
