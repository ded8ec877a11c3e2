import ArchiveReader
import ArchiveWriter
import CoreDataStores
import DataModel
import Foundation

/// The model of the seeds: an attribute of each form, and relationships of each kind.
private let model = ModelSource(
  Model(entities: [
    Entity(
      name: "Note",
      attributes: [
        Attribute(name: "amount", type: .decimal), Attribute(name: "body", type: .binary),
        Attribute(name: "changed", type: .date), Attribute(name: "id", type: .uuid),
        Attribute(name: "level", type: .integer16), Attribute(name: "link", type: .uri),
        Attribute(name: "style", type: .transformable), Attribute(name: "title", type: .string),
      ],
      relationships: [
        Relationship(name: "notes", destinations: ["Note"], isToMany: true, isOrdered: true),
        Relationship(name: "parent", destinations: ["Note"], isToMany: false),
      ])
  ]))

/// The metadata of a store of the model.
private let metadata: [UInt8] = {
  var archive = KeyedArchiveBuilder()
  let hashes = model.hashes().sorted { $0.key < $1.key }
  let list = archive.dictionary(
    keys: hashes.map { .string($0.key) }, values: hashes.map { .data($0.value) })
  archive.setTop("metadata", archive.dictionary(["NSStoreModelVersionHashes": list]))
  return Array(archive.binary())
}()

/// A store whose data are some bytes.
private func store(_ data: UnsafeBufferPointer<UInt8>) -> [UInt8] {
  var bytes = Array("CoreData".utf8) + [0, 0, 0, 1, 8, 4, 8, 0]
  for number in [64 + data.count, metadata.count, 64, data.count, 0, 0] {
    withUnsafeBytes(of: UInt64(number).bigEndian) { bytes += Array($0) }
  }
  return bytes + data + metadata
}

/// Reads binary stores of Core Data and all their values, those of damaged ones, too: a whole store, or
/// one of a known model whose data are the input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzBinaryStore(start: UnsafePointer<UInt8>?, count: Int) -> Int32 {
  let input = UnsafeBufferPointer(start: start, count: count)
  _ = try? BinaryStoreSource.metadata(of: ByteStorage(input))
  let isWhole = input.starts(with: "CoreData".utf8)
  let file = isWhole ? ByteStorage(input) : ByteStorage(store(input))
  for salvages in [false, true] {
    _ = try? BinaryStoreSource(file, model: model, salvages: salvages).inspect(limits: .standard)
  }
  return 0
}
