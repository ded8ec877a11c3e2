import ArchiveWriter
import DataModel
import Foundation

/// Mapping models with a single entity mapping, in the form in which Xcode keeps them.
package enum MappingDocument {
  /// The content of the `xcmapping.xml` of a mapping model between two versions, which embeds
  /// models with entities without properties; nil for no model.
  package static func text(
    from source: String, _ sourceEntities: [String]?, to destination: String,
    _ destinationEntities: [String]?, mapping entity: String = "Car", policy: String? = nil
  ) -> String {
    var store = XMLMappingStore(
      folder: "App/M.xcdatamodeld", versions: (source, destination),
      source: sourceEntities.map(embeddedModel),
      destination: destinationEntities.map(embeddedModel))
    store.add(from: entity, to: entity, policy: policy)
    return store.text
  }

  /// The archive in which a mapping model embeds a model, in Xcode's editing classes; its entities
  /// have no properties.
  package static func embeddedModel(entities: [String]) -> Data {
    XDPMArchive.make(Model(entities: entities.map { Entity(name: $0) })).binary()
  }
}
