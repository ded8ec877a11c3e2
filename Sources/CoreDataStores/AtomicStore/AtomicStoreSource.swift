import ArchiveReader
import DataModel
import GraphCore

/// A store that is read into memory whole: an XML store or a binary one.
package protocol AtomicStoreSource: CoreDataSource, NestingSource {
  /// The content that was read.
  var content: AtomicStoreContent { get }
}

/// The content of an atomic store, in the form that all kinds of them are read into.
package struct AtomicStoreContent: Sendable {
  let objects: AtomicObjects
  /// The objects of an archive that stand as values in the store; none in an XML store.
  let archived: ArchivedObjects?
  /// The number of objects in that archive that nothing in it leads to.
  var unreachableObjects = 0
}

extension AtomicStoreSource {
  package var version: Int64 { metadata.frameworkVersion ?? 0 }
  package var holdsObjectsInValues: Bool { content.archived?.isEmpty == false }
  package var ownObjectCount: Int { content.objects.objects.count }
  /// The objects of the store, then those that stand as values in it.
  package var objectCount: Int { ownObjectCount + (content.archived?.uids.count ?? 0) }
  package var valueCount: Int {
    content.objects.values.count + content.objects.members.count
      + (content.archived?.archive.valueCount ?? 0)
  }
  package var roots: [GraphRoot] { [] }
  package var holdsEveryObject: Bool { true }
  package var keepsBytes: Bool { true }
  package var forbiddenCharacters: Int { 0 }
  package var losses: [ArchiveError] { content.objects.losses.losses }
  package var lossCount: Int { content.objects.losses.count }
  /// Nothing: what the model does not know is an error.
  package var leftOut: [StoreRemainder] { [] }
  package var archiver: String { "Core Data" }

  package func explained(_ error: ArchiveError) -> ArchiveError { named(error) }

  package func makeGraph(_ options: GraphOptions) -> any ObjectGraph {
    AtomicStoreGraph(self, options)
  }

  package func storeKey(ofObject uid: Int) -> (entity: String, key: Int64)? {
    let objects = content.objects
    guard objects.objects.indices.contains(uid) else { return nil }
    let object = objects.objects[uid]
    return (objects.entity(of: object).name, object.key)
  }

  package func makeKeyLookup() -> (_ entity: String, _ key: Int64) -> Int? {
    let objects = content.objects
    let numbers = Dictionary(
      objects.objects.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    return { entity, key in
      numbers[key].flatMap {
        objects.entity(of: objects.objects[$0]).name == entity ? $0 : nil
      }
    }
  }
}
