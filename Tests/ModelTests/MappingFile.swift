import ArchiveWriter
import Foundation

@testable import DataModel

/// Makes sources of mapping models, as Xcode writes them.
enum MappingFile {
  /// The XML of a mapping between two models, each with the path that it was read from.
  static func document(source: (String, Data), destination: (String, Data)) -> String {
    document(
      attributes("source", path: source.0, base64: base64(source.1))
        + attributes("destination", path: destination.0, base64: base64(destination.1)))
  }

  /// The XML of a mapping with attributes.
  static func document(_ attributes: String) -> String {
    """
    <?xml version="1.0"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
    <database>
        <databaseInfo>
            <version>134481920</version>
            <UUID>1C3DAA1E-25F8-4A5B-A4D4-4C1F1B1F4C0B</UUID>
            <nextObjectID>103</nextObjectID>
        </databaseInfo>
        <object type="XDDEVENTITYMAPPING" id="z102">
            <attribute name="sourcemodeldata" type="string">of another object</attribute>
        </object>
        <object type="XDDEVMAPPINGMODEL" id="z101">
    \(attributes)
            <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING"
                idrefs="z102"></relationship>
        </object>
    </database>
    """
  }

  /// The two attributes of one of the models.
  static func attributes(_ role: String, path: String, base64: String) -> String {
    """
            <attribute name="\(role)modelpath" type="string">\(path)</attribute>
            <attribute name="\(role)modeldata" type="binary">\(base64)</attribute>

    """
  }

  private static func base64(_ data: Data) -> String {
    data.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
  }
}
