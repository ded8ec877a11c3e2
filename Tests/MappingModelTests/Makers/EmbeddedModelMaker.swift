import ArchiveWriter
import Foundation

/// Makes the archives in which mapping models embed models: Xcode's editing classes.
enum EmbeddedModelMaker {
  /// A model with entities that have no properties.
  static func bytes(entities: [String]) -> Data {
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
