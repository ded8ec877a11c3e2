import Foundation
import Importer

/// Tags that stood in a text become objects: one for each name, however many events have it.
class TagsMigrationPolicy: MigrationPolicy {
  required init() {}

  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    guard source.className == "Event" else {
      try manager.createDestinationInstances(forSource: source, in: mapping)
      return
    }
    let event = try manager.context.insert(into: "Event")
    for key in source.keys where key != "tags" { event[key] = try source.value(forKey: key) }
    if case .text(let tags) = try source.value(forKey: "tags") {
      for part in tags.split(separator: ",") {
        let name = part.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty else { continue }
        // By equality: in the pattern of a LIKE, the tag "b?" would be "bx", too.
        let tag = try manager.context.findOrInsert(into: "Tag", identity: ["name": .text(name)])
        // The other side follows.
        tag.add([event], to: "events")
      }
    }
    manager.associate(source: source, with: event, for: mapping)
  }

  /// The tags are set already.
  func createRelationships(
    forDestination destination: DestinationInstance, in mapping: MigrationMapping,
    manager: MigrationManager
  ) throws {}

  /// Where a run can be stopped to look at what it has made: an error here leaves nothing behind.
  func end(_ mapping: MigrationMapping, manager: MigrationManager) throws {}
}
