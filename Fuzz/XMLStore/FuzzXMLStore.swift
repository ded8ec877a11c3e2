import ArchiveReader
import CoreDataStores
import DataModel

/// The model of the seeds: one entity with an attribute of each form, and relationships of each kind.
private let model = ModelSource(
  Model(entities: [
    Entity(
      name: "Note",
      attributes: [
        Attribute(name: "title", type: .string), Attribute(name: "level", type: .integer16),
        Attribute(name: "isOpen", type: .boolean), Attribute(name: "ease", type: .double),
        Attribute(name: "amount", type: .decimal), Attribute(name: "changed", type: .date),
        Attribute(name: "body", type: .binary), Attribute(name: "id", type: .uuid),
        Attribute(name: "link", type: .uri), Attribute(name: "style", type: .transformable),
      ],
      relationships: [
        Relationship(name: "parent", destinations: ["Note"], isToMany: false),
        Relationship(name: "notes", destinations: ["Note"], isToMany: true, isOrdered: true),
      ]),
    Entity(name: "Book", parent: "Note"),
  ]))

/// Reads XML stores of Core Data and all their values, those of damaged ones, too.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzXMLStore(start: UnsafePointer<UInt8>?, count: Int) -> Int32 {
  let file = ByteStorage(UnsafeBufferPointer(start: start, count: count))
  _ = CoreDataFileKind(file.head)
  _ = try? XMLStoreSource.metadata(of: file)
  for salvages in [false, true] {
    _ = try? XMLStoreSource(file, model: model, salvages: salvages).inspect(limits: .standard)
  }
  return 0
}
