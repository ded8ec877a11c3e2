import ArchiveWriter
import Importer

/// The model of the tests of hooks and policies: boxes with things in them, and labels.
enum HookModel {
  static let document = ModelXML.document(
    """
    <entity name="Box">
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="uniqueId" optional="YES" attributeType="String"/>
      <relationship name="things" optional="YES" toMany="YES" ordered="YES"
        destinationEntity="Thing" inverseName="box" inverseEntity="Thing"/>
    </entity>
    <entity name="Label">
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="uses" optional="YES" attributeType="Integer 64"/>
      <relationship name="things" optional="YES" toMany="YES"
        destinationEntity="Thing" inverseName="labels" inverseEntity="Thing"/>
    </entity>
    <entity name="Thing">
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="size" optional="YES" attributeType="Integer 64"/>
      <attribute name="price" optional="YES" attributeType="Decimal"/>
      <attribute name="made" optional="YES" attributeType="Date"/>
      <relationship name="box" optional="YES" maxCount="1"
        destinationEntity="Box" inverseName="things" inverseEntity="Box"/>
      <relationship name="labels" optional="YES" toMany="YES"
        destinationEntity="Label" inverseName="things" inverseEntity="Label"/>
    </entity>
    <entity name="Shape" isAbstract="YES">
      <attribute name="name" optional="YES" attributeType="String"/>
    </entity>
    <entity name="Polygon" parentEntity="Shape">
      <attribute name="sides" optional="YES" attributeType="Integer 64"/>
    </entity>
    <entity name="Square" parentEntity="Polygon">
      <attribute name="width" optional="YES" attributeType="Double"/>
    </entity>
    <entity name="Reading">
      <attribute name="key" attributeType="String"/>
      <attribute name="found" attributeType="String"/>
    </entity>
    """)

  /// Prepares a conversion by the model with hooks.
  static func conversion(
    _ archives: KeyedArchiveBuilder..., hooks: any ImportHook.Type...
  ) throws -> SteeredConversion {
    try SteeredConversion(archives, model: document, ImportExtensions(hooks: hooks))
  }
}
