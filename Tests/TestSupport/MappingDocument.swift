import ArchiveWriter
import Foundation

/// Makes mapping models in Xcode's source form that map one entity.
package enum MappingDocument {
  /// The content of the `xcmapping.xml` of a mapping model between two versions, which embeds models
  /// with entities without properties; nil for no model.
  package static func text(
    from source: String, _ sourceEntities: [String]?, to destination: String,
    _ destinationEntities: [String]?, mapping entity: String = "Car", policy: String? = nil
  ) -> String {
    let folder = "App/M.xcdatamodeld"
    var model = attribute("sourcemodelpath", "string", "\(folder)/\(source).xcdatamodel")
    model += attribute("destinationmodelpath", "string", "\(folder)/\(destination).xcdatamodel")
    if let sourceEntities {
      model += attribute("sourcemodeldata", "binary", base64(sourceEntities))
    }
    if let destinationEntities {
      model += attribute("destinationmodeldata", "binary", base64(destinationEntities))
    }
    var mapping = attribute("sourcename", "string", entity)
    mapping += attribute("destinationname", "string", entity)
    mapping += attribute("mappingnumber", "int16", "1")
    mapping += attribute("autogenerateexpression", "bool", "1")
    if let policy { mapping += attribute("migrationpolicyclassname", "string", policy) }
    return """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <object type="XDDEVMAPPINGMODEL" id="z101">
      \(model)\
              <relationship name="entitymappings" type="0/0" destination="X" idrefs="z102"></relationship>
          </object>
          <object type="XDDEVENTITYMAPPING" id="z102">
      \(mapping)\
          </object>
      </database>

      """
  }

  private static func attribute(_ name: String, _ type: String, _ value: String) -> String {
    "        <attribute name=\"\(name)\" type=\"\(type)\">\(value)</attribute>\n"
  }

  private static func base64(_ entities: [String]) -> String {
    embeddedModel(entities: entities).base64EncodedString()
  }

  /// The archive in which a mapping model embeds a model, in Xcode's editing classes; its entities have
  /// no properties.
  package static func embeddedModel(entities: [String]) -> Data {
    KeyedArchiveBuilder.archive { archive in
      let classes = archive.dictionary(
        keys: entities.map { archive.string($0) },
        values: entities.map { name in
          archive.instance(of: "XDPMEntity", ["_name": archive.string(name)])
        })
      let package = archive.instance(
        of: "XDModelPackage", ["XDBucketForClassesstorage": classes])
      return archive.instance(of: "XDPMModel", ["_xd_rootPackage": package])
    }.binary()
  }
}
