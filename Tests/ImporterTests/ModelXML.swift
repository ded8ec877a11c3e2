import Importer
import TestSupport

/// Made XML models.
enum ModelXML {
  /// A model with entities, as Xcode writes it.
  static func document(_ entities: String, attributes: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \(attributes)>
    \(entities)
    <elements><element name="Thing" positionX="0" positionY="0" width="128" height="44"/></elements>
    </model>
    """
  }

  /// The model that a document holds.
  static func model(_ document: String) throws -> Model {
    let folder = try TemporaryFolder()
    return try Model(contentsOf: try folder.write(document, to: "contents"))
  }

  /// The only attribute of a model with one entity, from what is written in its element.
  static func attribute(_ text: String) throws -> Attribute? {
    let document = document("<entity name=\"Thing\"><attribute name=\"value\" \(text)/></entity>")
    return try model(document).entities.first?.attributes.first
  }

  /// A relationship "things" from Thing to Other, from what is written in its element.
  static func relationship(_ text: String) throws -> Relationship? {
    let document = document(
      """
      <entity name="Other"/>
      <entity name="Thing">
      <relationship name="things" destinationEntity="Other" \(text)/>
      </entity>
      """)
    return try model(document).entities.last?.relationships.first
  }
}
