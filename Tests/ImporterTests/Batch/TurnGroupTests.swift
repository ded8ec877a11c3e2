import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@testable import Importer

@Suite("Archives whose rows several threads prepare")
struct TurnGroupTests {
  /// Archives of plain objects: with owners and members, members before owners, collections inside of
  /// collections, texts of which something is lost, archives inside, and a large one among them.
  private static func archive(_ number: Int) -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let folder = archive.reserve()
      let notes = (0...number % 7).map { note in
        archive.instance(
          of: "Note",
          [
            "title": note == 3
              ? .utf16([0x61, 0xD83D, .init(number)]) : archive.string("n\(note)"),
            "folder": folder.reference, "rank": .integer(Int64(note)),
            "lines": archive.array([archive.array([1, .integer(Int64(number))]), "x"]),
          ])
      }
      let inner = KeyedArchiveBuilder.archive { $0.instance(of: "Inner", ["number": 1]) }
      let payload: PropertyListValue =
        number % 5 == 0 ? archive.data(inner.binary()) : archive.data(Data([1, 2]))
      archive.fill(
        folder, className: number % 4 == 3 ? "Box" : "Folder",
        [
          "notes": archive.array(number % 2 == 0 ? notes : notes.reversed()), "payload": payload,
          "space": .data(Data(repeating: 7, count: number == 20 ? 9 << 17 : 0)),
        ])
      // Some archives begin with a member.
      return number % 3 == 0 ? notes[0] : folder.reference
    }
  }

  /// The inputs, in a folder of their own.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for number in 0..<60 {
      try folder.write(archive(number).binary(), to: "in/\(100 + number).plist")
    }
    try folder.write("bplist00 damaged", to: "in/110a.plist")
    try folder.write(archive(12).binary(), to: "in/111a.plist")
    return folder
  }

  /// All rows in the order in which they were written, but for times, reports and large values.
  private static func rows(_ path: String) throws -> [String] {
    let store = try StoreQuery(path)
    #expect(try store.flaws() == [])
    let tables = try store.lines(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('_report', '_run')
        ORDER BY name
      """)
    return try tables.flatMap { table in
      let columns = try store.lines("SELECT name FROM pragma_table_info('\(table)')")
        .filter { $0 != "converted" && $0 != "space" }.map { "\"\($0)\"" }.joined(separator: ", ")
      return [table]
        + (try store.lines("SELECT \(columns) FROM \"\(table)\" ORDER BY rowid"))
    }
  }

  private static func options(jobs: Int) -> ConversionOptions {
    var options = ConversionOptions()
    options.jobs = jobs
    options.opensNested = true
    options.recordsProvenance = true
    options.errorPolicy = .skip
    return options
  }

  private struct Result: Equatable {
    var rows: [String]
    var report: String

    init(_ path: String, _ report: ConversionReport) throws {
      rows = try TurnGroupTests.rows(path)
      var report = report
      (report.startedAt, report.seconds) = (nil, nil)
      (report.storePath, report.storeBytes, report.storeSHA256) = ("", nil, nil)
      self.report = try JSONDocument.text(of: report)
    }
  }

  private static func convert(
    _ folder: TemporaryFolder, _ options: ConversionOptions
  ) throws -> Result {
    let output = folder.file(named: "out.sqlite")
    try? FileManager.default.removeItem(atPath: output)
    var conversion = Conversion(
      inputs: [folder.file(named: "in")], destination: output, options: options)
    return try Result(output, try conversion.run())
  }

  @Test("give the store and the report that one after the other gives")
  func areTheSame() throws {
    let folder = try Self.folder()
    var one = Self.options(jobs: 1)
    let expected = try Self.convert(folder, one)
    #expect(expected.rows.count > 1_000)
    #expect(expected.report.contains("unpaired surrogate"))
    one.avoidsPlainRows = true
    #expect(try Self.convert(folder, one).rows.sorted() == expected.rows.sorted())
    for (jobs, interval) in [(2, Duration.zero), (2, .seconds(1)), (3, .milliseconds(1))] {
      var options = Self.options(jobs: jobs)
      options.checkpointInterval = interval
      #expect(try Self.convert(folder, options) == expected)
    }
  }

  @Test("are written one after the other where rows come otherwise than was foreseen")
  func areShifted() throws {
    let folder = try Self.folder()
    let options = Self.options(jobs: 2)
    let expected = try Self.convert(folder, options).rows
    let output = folder.file(named: "shifted.sqlite")
    var conversion = Conversion(
      inputs: [folder.file(named: "in")], destination: output, options: options)
    let (archives, census) = try conversion.surveyed()
    let guide = try ImportGuide(options)
    let plan = try guide.plan(
      census, PlanOptions(opaqueClasses: conversion.opaqueClasses, recordsProvenance: true))
    let shifted = archives.map { archive in
      var archive = archive
      archive.objects = ObjectCounts(Census())
      return archive
    }
    let basis = ImportBasis(archives: shifted, census: census, plan: plan)
    _ = try conversion.write(basis, guide) { _, _ in }
    #expect(try Self.rows(output) == expected)
  }

  @Test("stay together where they are in one file, and are many where they are small")
  func groups() throws {
    let folder = try Self.folder()
    var options = Self.options(jobs: 2)
    var conversion = Conversion(
      inputs: [folder.file(named: "in")], destination: folder.file(named: "o"), options: options)
    let (archives, census) = try conversion.surveyed()
    let turns = conversion.turns(
      of: archives, after: StoreContent(RelationalLayout(Model(entities: []))), "")
    let tables = Array(repeating: 0, count: census.classes.count)
    let first = LastRows(ids: [5], collection: 7)
    for interval in [Duration.zero, .seconds(1)] {
      options.checkpointInterval = interval
      let groups = TurnGroup.groups(of: turns[...], after: first, tables, options)
      #expect(groups.flatMap { $0.turns.map(\.id) } == turns.map(\.id))
      #expect(groups.allSatisfy { $0.turns.first?.archive.input.nesting == nil })
      #expect(groups.allSatisfy { $0.turns.last?.isLastOfFile == true })
      #expect(groups.filter { !$0.isPrepared }.map(\.turns.count) == [2])
      #expect(groups.first?.lastRows == first)
      let rows = groups.map { $0.lastRows.ids[0] }
      #expect(zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 })
      #expect(interval == .zero ? groups.count == 60 : groups.count < 50)
    }
  }
}
