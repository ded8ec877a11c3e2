import ArchiveReader
import CoreDataStores
import Foundation
import Testing

@Suite(
  "The inspection of real stores without their models",
  .enabled(if: SharedFolder.path("coredata") != nil, "needs the folder of real stores"))
struct StoreInspectionConformanceTests {
  @Test(
    "counts the objects of each entity that it counts with the model",
    arguments: SharedFolder.databases(in: "coredata", "sources"))
  func sqlite(path: String) throws {
    let file = try ByteStorage(contentsOf: path)
    let store = try StoreInspection(withoutModel: file, at: path, limits: .standard)
    #expect(store.objects != nil)
    guard let source = try? SQLiteStoreSource(path: path) else { return }
    let modelled = StoreInspection(source)
    #expect(modelled.model == .store)
    #expect(store.entities.map(\.name) == modelled.entities.map(\.name))
    #expect(store.entities.map(\.objects) == modelled.entities.map(\.objects))
    #expect(store.entities.map(\.level) == modelled.entities.map(\.level))
    #expect(store.leftOut == modelled.leftOut)
    #expect(store.metadata == modelled.metadata)
  }

  @Test(
    "counts the objects of binary stores that another program found",
    arguments: RealStores.binaryStores)
  func binary(path: String) throws {
    let file = try ByteStorage(contentsOf: path)
    let store = try StoreInspection(withoutModel: file, at: path, limits: .standard)
    try expect(store, RealStores.expectedBinaryObjects(of: path))
  }

  @Test("counts the objects of an XML store that another program found")
  func xml() throws {
    let path = try #require(SharedFolder.path("sources/things/Database.xml"))
    let file = try ByteStorage(contentsOf: path)
    let store = try StoreInspection(withoutModel: file, at: path, limits: .standard)
    try expect(store, RealStores.expectedXMLObjects(of: path).objects)
  }

  private func expect(_ store: StoreInspection, _ objects: Set<RealStores.Object>) throws {
    let expected = Dictionary(grouping: objects, by: \.entity).mapValues(\.count)
    #expect(!expected.isEmpty)
    let found = store.entities.filter { $0.objects != 0 }.map { ($0.name, $0.objects) }
    #expect(Dictionary(uniqueKeysWithValues: found) == expected.mapValues { $0 })
  }
}
