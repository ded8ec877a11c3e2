import ArchiveReader
import CoreDataStores
import Foundation
import GraphCore
import GraphTesting
import TestSupport
import Testing

@Suite("Damaged XML and binary stores")
struct AtomicStoreMutationTests {
  /// Reads what there is, and checks the laws of graphs on it.
  private func check(_ source: (any GraphSource)?) {
    guard let source else { return }
    #expect(checkGraph(source) == [])
    _ = try? source.inspect(limits: .standard)
  }

  @Test("end in an error or in what can be read", arguments: [false, true])
  func mutations(salvages: Bool) {
    let model = StoreModels.library
    var xml = ArchiveMutator(Array(XMLStoreMaker.library.text.utf8), seed: 1)
    var envelope = ArchiveMutator(BinaryStoreMaker.library.bytes, seed: 2)
    var data = ArchiveMutator(BinaryStoreMaker.library.data, seed: 3)
    var metadata = ArchiveMutator(BinaryStoreMaker.library.metadata, seed: 4)
    for _ in 0..<MutationCount.perFile(usual: 100) {
      check(try? XMLStoreSource(ByteStorage(xml.next()), model: model, salvages: salvages))
      for bytes in [
        envelope.next(),
        BinaryStoreMaker.file(data: Data(data.next()), metadata: BinaryStoreMaker.library.metadata),
        BinaryStoreMaker.file(data: BinaryStoreMaker.library.data, metadata: Data(metadata.next())),
      ] {
        check(try? BinaryStoreSource(ByteStorage(bytes), model: model, salvages: salvages))
      }
    }
  }

  @Test("may be cut off anywhere")
  func truncations() {
    let text = Array(XMLStoreMaker.library.text.utf8)
    for count in stride(from: 0, to: text.count, by: 11) {
      let file = ByteStorage(text.prefix(count))
      #expect(throws: ArchiveError.self) {
        try XMLStoreSource(file, model: StoreModels.library)
      }
      check(try? XMLStoreSource(file, model: StoreModels.library, salvages: true))
    }
  }
}
