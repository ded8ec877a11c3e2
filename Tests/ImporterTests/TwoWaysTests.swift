import Foundation
import Importer
import TestSupport
import Testing

@Suite("Rows that are made one by one")
struct TwoWaysTests {
  @Test(
    "are those that are written straight from the archive, in every archive of the corpus",
    .enabled(if: Repository.corpus != nil, "there is no ../shared/corpus beside the repository"),
    arguments: Repository.corpusFiles(in: "keyed-binary") + Repository.corpusFiles(in: "keyed-xml")
      + Repository.sampleArchives)
  func corpus(archive: String) throws {
    let folder = try TemporaryFolder()
    var dumps: [String] = []
    for avoidsPlainRows in [false, true] {
      let path = folder.file(named: "\(avoidsPlainRows).sqlite")
      var options = ConversionOptions()
      options.avoidsPlainRows = avoidsPlainRows
      var conversion = Conversion(inputs: [archive], destination: path, options: options)
      _ = try conversion.run()
      let store = try StoreQuery(path)
      #expect(try store.flaws() == [])
      dumps.append(try store.content(except: ["_archive"]))
    }
    #expect(dumps[0] == dumps[1])
  }
}
