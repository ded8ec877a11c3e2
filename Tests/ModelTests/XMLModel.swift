import TestSupport

@testable import CoreDataStores
@testable import DataModel

/// Made models in XML.
enum XMLModel {
  /// A model with entities, as Xcode writes it.
  static func document(_ entities: String, identifier: String? = nil) -> String {
    let identifier = identifier.map { " userDefinedModelVersionIdentifier=\"\($0)\"" } ?? ""
    return """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"\(identifier)>
      \(entities)
      </model>
      """
  }

  /// The model with these entities.
  static func model(_ entities: String, identifier: String? = nil) throws -> Model {
    let folder = try TemporaryFolder()
    return try Model(
      contentsOf: folder.write(document(entities, identifier: identifier), to: "contents"))
  }

  /// A model with all that a model in the form of Xcode 3 can say.
  static let library = """
    <entity name="Thing" isAbstract="YES" elementID="Object">
      <attribute name="name" attributeType="String" defaultValueString="" elementID="title"/>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
      </uniquenessConstraints>
    </entity>
    <entity name="Book" parentEntity="Thing" representedClassName="Library.Book"
        versionHashModifier="5">
      <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="12.50"
        minValueString="0.5" maxValueString="100"/>
      <attribute name="isNew" indexed="YES" attributeType="Boolean" defaultValueString="YES"/>
      <attribute name="rank" attributeType="Integer 16" defaultValueString="-1"/>
      <attribute name="weight" attributeType="Float" defaultValueString="0.1"/>
      <attribute name="length" attributeType="Double" defaultValueString="1.5"/>
      <attribute name="isbn" attributeType="String" minValueString="10" maxValueString="17"
        regularExpressionString="[0-9]+" versionHashModifier="a"/>
      <attribute name="key" attributeType="UUID"
        defaultValueString="00010203-0405-0607-0809-0A0B0C0D0E0F"/>
      <attribute name="page" attributeType="URI" defaultValueString="http://example.com/a"/>
      <attribute name="printed" attributeType="Date"/>
      <attribute name="scan" optional="YES" attributeType="Binary"
        allowsExternalBinaryDataStorage="YES"/>
      <attribute name="colors" optional="YES" attributeType="Transformable"
        valueTransformerName="Colors"/>
      <attribute name="seen" optional="YES" transient="YES"/>
      <relationship name="pages" optional="YES" toMany="YES" minCount="1" ordered="YES"
        deletionRule="Cascade" destinationEntity="Page" inverseName="book"/>
      <relationship name="next" optional="YES" maxCount="1" deletionRule="No Action"
        destinationEntity="Thing"/>
      <compoundIndexes>
        <compoundIndex><index value="rank"/><index value="isbn"/></compoundIndex>
      </compoundIndexes>
    </entity>
    <entity name="Page">
      <relationship name="book" deletionRule="Deny" maxCount="1" destinationEntity="Book"
        inverseName="pages" versionHashModifier="b" elementID="volume"/>
    </entity>
    """
}
