import Foundation
import TestSupport
import Testing

@testable import Converter
@testable import Importer

@Suite("Archives whose rows several threads prepare")
struct TurnGroupTests {
  @Test("give the store and the report that one after the other gives")
  func areTheSame() throws {
    let folder = try SmallArchives.folder()
    var one = SmallArchives.options(jobs: 1)
    let expected = try SmallArchives.convert(folder, one)
    #expect(expected.rows.count > 1_000)
    #expect(expected.report.contains("unpaired surrogate"))
    one.avoidsPlainRows = true
    #expect(try SmallArchives.convert(folder, one).rows.sorted() == expected.rows.sorted())
    for (jobs, interval) in [(2, Duration.zero), (2, .seconds(1)), (3, .milliseconds(1))] {
      var options = SmallArchives.options(jobs: jobs)
      options.checkpointInterval = interval
      #expect(try SmallArchives.convert(folder, options) == expected)
    }
  }

  @Test("stay together where they are in one file, and are many where they are small")
  func groups() throws {
    let folder = try SmallArchives.folder()
    var options = SmallArchives.options(jobs: 2)
    var conversion = Conversion(
      inputs: [folder.file(named: "in")], destination: folder.file(named: "o"), options: options)
    let (archives, _) = try conversion.surveyed()
    let importJobs = conversion.importJobs(
      of: archives, after: StoreContent(RelationalLayout(Model(entities: []))), "")
    for interval in [Duration.zero, .seconds(1)] {
      options.checkpointInterval = interval
      let groups = ArchiveBatch.groups(of: importJobs[...], options)
      #expect(groups.flatMap { $0.importJobs.map(\.id) } == importJobs.map(\.id))
      #expect(groups.allSatisfy { $0.importJobs.first?.archive.input.nesting == nil })
      #expect(groups.allSatisfy { $0.importJobs.last?.isLastOfFile == true })
      #expect(groups.filter { !$0.isPrepared }.map(\.importJobs.count) == [2])
      #expect(interval == .zero ? groups.count == 60 : groups.count < 50)
    }
  }
}
