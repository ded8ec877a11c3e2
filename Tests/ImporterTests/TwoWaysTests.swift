import Converter
import Foundation
import TestSupport
import Testing

@Suite("A store")
struct TwoWaysTests {
  static let archives =
    Thoroughness.some(
      Repository.corpusFiles(in: "keyed-binary") + Repository.corpusFiles(in: "keyed-xml"),
      oneIn: 4) + Repository.sampleArchives

  /// The content of the store that an archive becomes.
  private func content(
    _ archive: String, _ change: (inout ConversionOptions) -> Void = { _ in }
  ) throws -> String {
    let folder = try TemporaryFolder()
    var options = ConversionOptions.pairs
    options.recordsProvenance = true
    change(&options)
    let path = folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: [archive], destination: path, options: options)
    _ = try conversion.run()
    let store = try StoreQuery(path)
    #expect(try store.flaws() == [])
    return try store.content(except: ["_archive", "_run", "_report"], countsRows: false)
  }

  @Test(
    "is the same whether rows are made one by one or written straight from the archive",
    arguments: archives)
  func rows(archive: String) throws {
    #expect(try content(archive) { $0.avoidsPlainRows = true } == content(archive))
  }

  @Test(
    "is the same with the mapping that was drafted from the archive", arguments: archives)
  func draft(archive: String) throws {
    let folder = try TemporaryFolder()
    let mapping = try folder.draftMapping(of: archive, withModel: false)
    #expect(try content(archive) { $0.mappingPath = mapping } == content(archive))
  }

  @Test(
    "is the same with a drafted model as well, where Core Data has words for all of it",
    arguments: Repository.sampleArchives)
  func model(archive: String) throws {
    let folder = try TemporaryFolder()
    let mapping = try folder.draftMapping(of: archive, withModel: true)
    #expect(try content(archive) { $0.mappingPath = mapping } == content(archive))
  }
}

extension TemporaryFolder {
  /// Writes the mapping that is drafted from an archive, and the model if that is asked for.
  ///
  /// - Returns: The path of the mapping.
  func draftMapping(of archive: String, withModel: Bool) throws -> String {
    let mapping = file(named: "mapping.yaml")
    let draft = try InferredDraft(inputs: [archive], options: ConversionOptions.pairs)
    let model = withModel ? file(named: "Model.xcdatamodeld") : nil
    try draft.write(mapping: mapping, model: model, replacing: false)
    return mapping
  }
}
