import ArchiveReader
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import TestSupport
import Testing

/// Stores that Core Data wrote, which stand beside the repository on some machines, with readings
/// by a program of other authors.
@Suite(
  "Real XML and binary stores",
  .enabled(if: RealStores.folder != nil, "needs the folder of real stores"))
struct AtomicStoreConformanceTests {
  @Test("are told by their bytes, and mapping models are none", arguments: RealStores.files)
  func kinds(path: String) throws {
    let file = try ByteStorage(contentsOf: path)
    let kind = CoreDataFileKind(file.head)
    switch path.split(separator: ".").last {
    case "b_storedata": #expect(kind == .binary)
    case "sqlite", "moody", "storedata": #expect(kind == .sqlite)
    case "xml" where path.hasSuffix("Database.xml"): #expect(kind == .xml)
    default: #expect(kind == nil, "\(path)")
    }
  }

  @Test(
    "in the binary form have the expected objects and links", arguments: RealStores.binaryStores)
  func binary(path: String) throws {
    let file = try ByteStorage(contentsOf: path)
    let metadata = try BinaryStoreSource.metadata(of: file)
    // The model is the one whose hashes are those of the store.
    let model = try #require(
      RealStores.models(beside: path).first {
        $0.entitiesThatDiffer(from: metadata.versionHashes).isEmpty
      })
    let source = try BinaryStoreSource(file, model: ModelSource(model))
    #expect(source.metadata == metadata)
    #expect(metadata.uuid.count == 36 && source.version > 0)
    #expect(checkGraph(source) == [])

    let expected = try RealStores.expectedBinaryObjects(of: path)
    #expect(!expected.isEmpty)
    #expect(RealStores.objects(of: source).symmetricDifference(expected) == [])
  }

  @Test("in XML have the expected objects and links")
  func xml() throws {
    let folder = try #require(RealStores.folder)
    let path = "\(folder)/things/Database.xml"
    let expected = try RealStores.expectedXMLObjects(of: path)
    let file = try ByteStorage(contentsOf: path)
    let source = try XMLStoreSource(file, model: ModelSource(expected.model))
    #expect(checkGraph(source) == [])
    #expect(source.metadata.versionHashes.count == 14)
    #expect(source.metadata.uuid == "B4FC79D0-E654-43EF-9020-A5273B3F104A")
    #expect(try XMLStoreSource.metadata(of: file) == source.metadata)
    #expect(source.objectCount == 76)
    #expect(RealStores.objects(of: source).symmetricDifference(expected.objects) == [])
  }
}
