import ArchiveWriter
import Foundation
import Mappings

/// Writes `xcmapping.xml` files as Xcode does: an XML store with an object for each mapping.
package struct XMLMappingStore {
  /// A mapping of an attribute or a relationship.
  package struct Property {
    package var name: String?
    package var attributes: [(name: String, type: String, value: String)] = []

    package init(
      _ name: String?, value: ExpressionNode? = nil, keyPath: String? = nil,
      mapping: String? = nil, isAutomatic: Bool? = nil
    ) {
      self.name = name
      if let value {
        attributes.append(("valueexpressiondata", "binary", base64Archive(of: value)))
      }
      if let keyPath { attributes.append(("sourcekeypath", "string", keyPath)) }
      if let mapping { attributes.append(("sourcemappingname", "string", mapping)) }
      if let isAutomatic {
        attributes.append(("autogenerateexpression", "bool", isAutomatic ? "1" : "0"))
      }
    }
  }

  private var objects: [String] = []
  private var entityMappings: [String] = []
  private var nextID = 103
  private let modelAttributes: String

  /// Prepares a store for the mappings between two versions.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder with the versions, as Xcode writes it.
  ///   - versions: The names of the versions.
  ///   - source: The first, which is embedded; nil if it is not.
  ///   - destination: The second, in the same way.
  package init(
    folder: String = "App/Model.xcdatamodeld",
    versions: (source: String, destination: String) = ("Model", "Model 2"),
    source: Data? = nil, destination: Data? = nil
  ) {
    var attributes = ""
    for (role, name, model) in [
      ("source", versions.source, source), ("destination", versions.destination, destination),
    ] {
      attributes += Self.attribute("\(role)modelpath", "string", "\(folder)/\(name).xcdatamodel")
      if let model {
        attributes += Self.attribute(
          "\(role)modeldata", "binary",
          model.base64EncodedString(options: .lineLength76Characters))
      }
    }
    modelAttributes = attributes
  }

  /// Adds an entity mapping.
  package mutating func add(
    from source: String?, to destination: String?, name: String? = nil, number: Int? = nil,
    policy: String? = nil, filter: String? = nil, fetch: ExpressionNode? = nil,
    isAutomatic: Bool = true, userInfo: [String: String] = [:], attributes: [Property] = [],
    relationships: [Property] = [], isUsed: Bool = true
  ) {
    let id = newID()
    let attributeIDs = attributes.map { add($0, "XDDEVATTRIBUTEMAPPING", owner: id) }
    let relationshipIDs = relationships.map { add($0, "XDDEVRELATIONSHIPMAPPING", owner: id) }
    var text = Self.attribute("mappingtypename", "string", "Undefined")
    if let name { text += Self.attribute("name", "string", name) }
    if let source { text += Self.attribute("sourcename", "string", source) }
    if let destination { text += Self.attribute("destinationname", "string", destination) }
    text += Self.attribute(
      "mappingnumber", "int16", "\(number ?? entityMappings.count + 1)")
    text += Self.attribute("autogenerateexpression", "bool", isAutomatic ? "1" : "0")
    if let policy { text += Self.attribute("migrationpolicyclassname", "string", policy) }
    if let filter { text += Self.attribute("sourcefilterpredicatestring", "string", filter) }
    if let fetch {
      text += Self.attribute("sourceexpressiondata", "binary", base64Archive(of: fetch))
    }
    if !userInfo.isEmpty {
      text += Self.attribute("userinfodata", "binary", Self.base64(userInfo: userInfo))
    }
    text += Self.relationship("mappingmodel", isUsed ? ["z102"] : [])
    text += Self.relationship("attributemappings", attributeIDs)
    text += Self.relationship("relationshipmappings", relationshipIDs)
    add("XDDEVENTITYMAPPING", id, text)
    if isUsed { entityMappings.append(id) }
  }

  /// Adds a property mapping, which belongs to no entity mapping unless one is named.
  @discardableResult
  package mutating func add(_ property: Property, _ type: String, owner: String? = nil) -> String {
    let id = newID()
    var text = property.name.map { Self.attribute("name", "string", $0) } ?? ""
    for attribute in property.attributes {
      text += Self.attribute(attribute.name, attribute.type, attribute.value)
    }
    add(type, id, text + Self.relationship("entitymapping", owner.map { [$0] } ?? []))
    return id
  }

  /// The text of the file.
  package var text: String {
    let model = Self.object(
      "XDDEVMAPPINGMODEL", "z102",
      modelAttributes + Self.relationship("entitymappings", entityMappings))
    return Self.document(model + objects.joined())
  }

  /// The bytes of the file.
  package var bytes: Data { Data(text.utf8) }

  private mutating func newID() -> String {
    defer { nextID += 1 }
    return "z\(nextID)"
  }

  private mutating func add(_ type: String, _ id: String, _ contents: String) {
    objects.append(Self.object(type, id, contents))
  }

  private static func base64(userInfo: [String: String]) -> String {
    KeyedArchiveBuilder.archive { archive in
      archive.dictionary(
        keys: userInfo.keys.sorted().map { archive.string($0) },
        values: userInfo.sorted { $0.key < $1.key }.map { archive.string($0.value) },
        className: "NSMutableDictionary")
    }.binary().base64EncodedString(options: .lineLength76Characters)
  }

  // MARK: XML

  /// A document with objects, as Xcode begins it.
  package static func document(_ objects: String) -> String {
    """
    <?xml version="1.0" standalone="yes"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
        <databaseInfo>
            <version>134481920</version>
            <UUID>498313E6-D672-4887-A947-08765F4F1012</UUID>
            <metadata><plist version="1.0"><dict></dict></plist></metadata>
        </databaseInfo>
    \(objects)</database>

    """
  }

  package static func object(_ type: String, _ id: String, _ contents: String) -> String {
    "    <object type=\"\(type)\" id=\"\(id)\">\n\(contents)    </object>\n"
  }

  package static func attribute(_ name: String, _ type: String, _ value: String) -> String {
    "        <attribute name=\"\(name)\" type=\"\(type)\">\(value)</attribute>\n"
  }

  package static func relationship(_ name: String, _ ids: [String]) -> String {
    let references = ids.isEmpty ? "" : " idrefs=\"\(ids.joined(separator: " "))\""
    return "        <relationship name=\"\(name)\" type=\"0/0\" destination=\"X\"\(references)>"
      + "</relationship>\n"
  }
}

/// An expression as a keyed archive, in base64.
package func base64Archive(of expression: ExpressionNode) -> String {
  KeyedArchiveBuilder.archive { ExpressionArchiver.add(expression, to: &$0) }.binary()
    .base64EncodedString(options: .lineLength76Characters)
}
