import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Models in stores")
struct ModelSourceTests {
  /// A store of the entity A that carries its model, changed by a statement.
  private func store(_ change: String = "", in folder: TemporaryFolder) throws -> String {
    let model = try folder.write(CompiledModel.empty(entity: "A").binary(), to: "A.mom")
    let path = folder.file(named: "store.sqlite")
    try EmptyStore(ModelSource(contentsOf: model), layout: .coreData)
      .write(to: path, isReplacing: true)
    try StoreEditor(path).run(change)
    return path
  }

  @Test("A store carries the compiled model that it was made of")
  func carried() throws {
    let folder = try TemporaryFolder()
    let source = try ModelSource(contentsOf: store(in: folder))
    #expect(source.model.entities.map(\.name) == ["A"])
    #expect(source.compiledModel == CompiledModel.empty(entity: "A").binary())
    #expect(source.versionHashes == source.model.versionHashes())
  }

  @Test("A store that says nothing of its model still gives it")
  func withoutPropertyList() throws {
    let folder = try TemporaryFolder()
    let path = try store("UPDATE Z_METADATA SET Z_PLIST = NULL", in: folder)
    let source = try ModelSource(contentsOf: path)
    #expect(source.versionHashes == nil)
    #expect(source.hashes() == source.model.versionHashes())
  }

  @Test("A compiled model is stored as raw deflate, which any inflater reads")
  func deflated() throws {
    // Written by another program: the model that a store block of deflate holds as it is.
    let model = CompiledModel.empty(entity: "B").binary()
    let count = UInt16(model.count)
    let block =
      [1, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)] + model
    let folder = try TemporaryFolder()
    let hexadecimal = block.map { String(format: "%02x", $0) }.joined()
    let path = try store("UPDATE Z_MODELCACHE SET Z_CONTENT = x'\(hexadecimal)'", in: folder)
    #expect(try Model(contentsOf: path).entities.map(\.name) == ["B"])
  }

  @Test(
    "A model that cannot be read is an error that names the store",
    arguments: [
      ("DELETE FROM Z_MODELCACHE", .missingModel, "contains no model"),
      ("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL", .missingModel, "contains no model"),
      ("DROP TABLE Z_MODELCACHE", .missingModel, "contains no model"),
      (
        "UPDATE Z_MODELCACHE SET Z_CONTENT = x'FFFFFFFF'", .damagedCache,
        "the model in the store cannot be read: it is damaged"
      ),
      (
        "UPDATE Z_MODELCACHE SET Z_CONTENT = 'text'", .damagedCache,
        "the model in the store cannot be read: it is too large or not data"
      ),
      (
        // Inflates to nothing.
        "UPDATE Z_MODELCACHE SET Z_CONTENT = x'0300'", .damagedArchive, "is empty"
      ),
      ("DELETE FROM Z_METADATA", .damagedMetadata, "Z_METADATA must have exactly one row"),
      ("UPDATE Z_METADATA SET Z_PLIST = 1", .damagedMetadata, "Z_PLIST holds no data"),
      ("UPDATE Z_METADATA SET Z_PLIST = x'00'", .damagedMetadata, "cannot be read"),
      ("DROP TABLE Z_METADATA", .notAStore, "it has no table Z_METADATA"),
    ] as [(String, ModelError.Code, String)])
  func damaged(_ change: String, _ code: ModelError.Code, _ words: String) throws {
    let folder = try TemporaryFolder()
    let path = try store(change, in: folder)
    let error = #expect(throws: ModelError.self) { try ModelSource(contentsOf: path) }
    #expect(error?.code == code)
    #expect(error?.path == path)
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }

  @Test("Small bytes that become very many are refused")
  func bomb() throws {
    // Blocks of deflate with the fixed code: one byte, then repeats of 258 bytes of it, each in 13
    // bits, until there are more than 64 MiB.
    var bits: [UInt8] = []
    func add(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() { bits.append(UInt8(value >> bit & 1)) }
    }
    bits += [1, 1, 0]
    add(0x30, 8)
    for _ in 0..<300_000 {
      add(0xC5, 8)
      add(0, 5)
    }
    add(0, 7)
    var bytes = Data(count: (bits.count + 7) / 8)
    for (number, bit) in bits.enumerated() { bytes[number / 8] |= bit << (number % 8) }
    let folder = try TemporaryFolder()
    let path = try store(in: folder)
    let hexadecimal = bytes.map { String(format: "%02x", $0) }.joined()
    try StoreEditor(path).run("UPDATE Z_MODELCACHE SET Z_CONTENT = x'\(hexadecimal)'")
    let error = #expect(throws: ModelError.self) { try ModelSource(contentsOf: path) }
    #expect(error?.name == "it is too large")
  }

  @Test("A template gives its hashes and its model, and has to be of the same model")
  func template() throws {
    let folder = try TemporaryFolder()
    let path = try store(in: folder)
    var same = ModelSource(Model(entities: [Entity(name: "A")]))
    try same.adopt(template: path)
    #expect(same.compiledModel == CompiledModel.empty(entity: "A").binary())
    #expect(same.versionHashes == same.model.versionHashes())
    for (entities, name) in [
      ([Entity(name: "A", isAbstract: true)], "A"), ([Entity(name: "B")], "A, B"),
      (
        [
          Entity(name: "A"),
          Entity(
            name: "B", attributes: [Attribute(name: "x", type: .double, isDerived: true)]),
        ], "B"
      ),
    ] {
      var other = ModelSource(Model(entities: entities))
      let error = #expect(throws: ModelError.self) { try other.adopt(template: path) }
      #expect(error?.code == .otherTemplate)
      #expect(error?.name == name)
      #expect(other.compiledModel == nil)
    }
  }

  @Test("A hash that cannot be computed is taken from what stands beside the model")
  func uncertain() throws {
    let derived = Attribute(name: "x", type: .double, isDerived: true)
    let model = Model(entities: [Entity(name: "A"), Entity(name: "B", attributes: [derived])])
    var source = ModelSource(model)
    #expect(source.uncertainHashes == ["B"])
    #expect(source.hashes() == model.versionHashes())
    source.versionHashes = model.versionHashes()
    source.versionHashes?["B"] = Data(repeating: 7, count: 32)
    #expect(source.uncertainHashes == [])
    #expect(source.differingHashes == [])
    #expect(source.hashes()["B"] == Data(repeating: 7, count: 32))
    source.versionHashes?["A"] = Data(repeating: 8, count: 32)
    #expect(source.differingHashes == ["A"])
  }
}
