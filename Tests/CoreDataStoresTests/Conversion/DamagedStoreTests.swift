import ArchiveWriter
import Converter
import CoreDataStores
import DataModel
import Foundation
import TestSupport
import Testing

@Suite("A damaged store among the inputs")
struct DamagedStoreTests {
  private let sample: ConvertedSample
  private var maker: StoreMaker { sample.maker }
  private let archive: String

  init() throws {
    sample = try ConvertedSample()
    archive = try sample.maker.folder.write(
      KeyedArchiveBuilder.archive { archive in
        archive.instance(of: "Tag", ["name": archive.string("Home")])
      }.binary(), to: "tag.archive")
  }

  @Test(
    "is left out beside an archive where damaged inputs are, whatever order they are in",
    arguments: [true, false], [1, 4])
  func skipped(isFirst: Bool, jobs: Int) throws {
    try maker.edit("UPDATE ZITEM SET ZFOLDER = 9 WHERE Z_PK = 2;")
    let copy = maker.folder.file(named: "copy.sqlite")
    try FileManager.default.copyItem(atPath: maker.path, toPath: copy)
    let inputs = isFirst ? [maker.path, archive, copy] : [archive, maker.path, copy]
    let (store, report, path) = try sample.convert(inputs) {
      ($0.errorPolicy, $0.jobs) = (.skip, jobs)
    }
    #expect(report.verification?.isPassed == true)
    #expect(try store.flaws() == [])
    #expect(try store.lines("SELECT name FROM Tag") == ["Home"])
    #expect(try store.lines("SELECT path FROM _archive") == [archive])
    let rejected = report.archives.filter { $0.outcome == .rejected }
    #expect(rejected.map(\.path) == [maker.path, copy])
    let words = "refers to object Folder 9, which does not exist (Note 2, folder)"
    #expect(rejected.map(\.error) == [words, words])
    #expect(report.archives.map(\.path) == inputs)
    var options = ConversionOptions()
    options.modelPath = sample.model
    var verifier = StoreVerifier(store: path, inputs: inputs, options: options)
    let verified = try verifier.run()
    #expect(verified.verification?.isPassed == true)
    #expect(
      verified.archives.filter { $0.outcome == .rejected }.map(\.path).sorted()
        == [
          maker.path, copy,
        ].sorted())
  }

  @Test("ends the run where a damaged input does, or where no other is left")
  func stopped() throws {
    try maker.edit("UPDATE ZITEM SET ZFOLDER = 9 WHERE Z_PK = 2;")
    for (inputs, policy) in [
      ([maker.path, archive], ConversionOptions.ErrorPolicy.stop), ([maker.path], .skip),
    ] {
      let error = #expect(throws: ConversionError.self) {
        try sample.convert(inputs) { $0.errorPolicy = policy }
      }
      #expect(
        error.map { "\($0)" }
          == "\(maker.path): refers to object Folder 9, which does not exist (Note 2, folder)")
    }
  }

  @Test("is salvaged without rows for links to nothing", arguments: [false, true])
  func links(hasArchive: Bool) throws {
    try maker.edit("DELETE FROM ZTAG WHERE Z_PK = 2; DELETE FROM ZITEM WHERE Z_PK = 1;")
    let inputs = hasArchive ? [maker.path, archive] : [maker.path]
    let (store, report, path) = try sample.convert(inputs) { $0.salvages = true }
    #expect(report.verification?.isPassed == true)
    #expect(try store.flaws() == [])
    #expect(try store.lines("SELECT * FROM Note_tags") == [])
    let damages = report.archives.flatMap(\.damages).map(\.reason)
    #expect(
      damages == [
        "cannot be read: Z_3TAGS: it has links of objects that are not there",
        "refers to object Tag 2, which does not exist (Note 5, tags)",
        "refers to object Note 1, which does not exist (Tag 1, notes)",
        "refers to object Tag 2, which does not exist (Tag 3, narrower)",
      ])
    #expect(
      ReportText(report, isVerbose: false).text().contains(
        "Salvaged: 1 damaged store; 4 parts could not be read."))
    var options = ConversionOptions()
    (options.modelPath, options.salvages) = (sample.model, true)
    var verifier = StoreVerifier(store: path, inputs: inputs, options: options)
    #expect(try verifier.run().verification?.isPassed == true)
  }

  @Test("is salvaged where both sides of a relationship are ordered")
  func orderedLinks() throws {
    let model = Model(
      entities: [("A", "B", "bs", "as"), ("B", "A", "as", "bs")].map { name, other, to, from in
        Entity(
          name: name, attributes: [Attribute(name: "name", type: .string)],
          relationships: [
            Relationship(
              name: to, destinations: [other], isToMany: true, isOrdered: true, inverse: from)
          ])
      })
    let store = try StoreMaker(
      model,
      """
      INSERT INTO ZA (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'a'), (2, 1, 'b');
      INSERT INTO ZB (Z_PK, Z_ENT, ZNAME) VALUES (2, 2, 'y'), (3, 2, 'z');
      """, name: "ordered.sqlite")
    let columns = try StoreQuery(store.path).lines("SELECT name FROM pragma_table_info('Z_1BS')")
    #expect(columns.count == 4)
    try store.edit(
      """
      INSERT INTO Z_1BS (\(columns.joined(separator: ", ")))
        VALUES (1, 1, 1, 1), (1, 2, 1, 2), (2, 3, 1, 1), (1, 3, 2, 3);
      """)
    let path = store.folder.file(named: "M.xcdatamodeld")
    try XMLModelWriter(model).write(to: path)
    var options = ConversionOptions()
    (options.modelPath, options.verifies, options.salvages) = (path, true, true)
    let output = store.folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: [store.path], destination: output, options: options)
    let report = try conversion.run()
    #expect(report.verification?.isPassed == true)
    #expect(
      report.archives.flatMap(\.damages).map(\.reason) == [
        "refers to object B 1, which does not exist (A 1, bs)"
      ])
    #expect(try StoreQuery(output).flaws() == [])
    #expect(try StoreQuery(output).lines("SELECT count(*) FROM A_bs") == ["3"])
  }
}
