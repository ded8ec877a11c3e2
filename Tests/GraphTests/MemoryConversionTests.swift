import ArchiveReader
import Converter
import Foundation
import GraphCore
import GraphTesting
import Support
import TestSupport
import Testing

/// Files that name a source in memory: "memory: notes".
private struct MemoryKind: SourceKind {
  func recognizes(_ head: FileHead) -> Bool { head.starts(with: "memory: ") }

  func open(
    _ file: ByteStorage, at path: String?, limits: ReadingLimits, salvages: Bool
  ) throws(ArchiveError) -> any GraphSource {
    switch String(decoding: file.bytes.dropFirst(8), as: UTF8.self) {
    case "notes": return MemorySources.notes()
    case "other": return MemorySources.otherNotes()
    default: throw ArchiveError(.notAnArchive, name: "no source of the test's own")
    }
  }
}

@Suite("Sources other than archives")
struct MemoryConversionTests {
  private let folder: TemporaryFolder
  private let inputs: [String]

  init() throws {
    folder = try TemporaryFolder()
    inputs = [
      try folder.write(Data("memory: notes".utf8), to: "in/a"),
      try folder.write(Data("memory: other".utf8), to: "in/b"),
    ]
  }

  private func convert(
    _ inputs: [String], _ change: (inout ConversionOptions) -> Void = { _ in }
  ) throws -> (store: StoreQuery, report: ConversionReport, path: String) {
    var options = ConversionOptions()
    options.sourceKinds = [KeyedArchiveKind(), MemoryKind()]
    options.verifies = true
    change(&options)
    let path = folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: inputs, destination: path, options: options)
    let report = try conversion.run()
    return (try StoreQuery(path), report, path)
  }

  @Test("are converted and verified like archives")
  func converted() throws {
    let (store, report, _) = try convert([inputs[0]])
    #expect(report.verification?.isPassed == true)
    #expect(try store.flaws() == [])
    #expect(
      try store.lines("SELECT format, archiver, bytes > 0 FROM _archive") == [
        "memory|MemorySource|1"
      ])
    let notes = try store.lines("SELECT * FROM Note")
    #expect(
      notes == [
        "1|aé|Note|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|1|2|1|NULL",
        "2|Naïve café|NULL|-3|0.1|18446744073709551615|1|2001-01-02T10:17:36.750Z|x'0001ff'|"
          + "01020304-0506-0708-090A-0B0C0D0E0F10|-12.25|https://example.com/é|NULL|NULL|1|1|NULL|-12.25",
      ])
    let members = try store.lines("SELECT * FROM Library_notes")
    #expect(members == ["1|1|0|2", "2|1|1|1", "3|1|2|2"])
    #expect(try store.lines("SELECT * FROM _top") == ["1|1|$top|NULL|Document|1"])
    let documents = try store.lines("SELECT * FROM Document")
    #expect(documents == ["1|7|1"])
    let recent = try store.lines("SELECT * FROM Document_recent")
    #expect(recent == ["1|1|0|1"])
    #expect(report.unreachableObjects == 1)
  }

  @Test("are found in directories beside archives, in one store")
  func directory() throws {
    let sample = try Data(contentsOf: URL(fileURLWithPath: Repository.sampleArchives[0]))
    _ = try folder.write(sample, to: "in/c.archive")
    let (store, report, path) = try convert([folder.file(named: "in")]) {
      $0.recordsProvenance = true
    }
    #expect(report.verification?.isPassed == true)
    #expect(try store.lines("SELECT count(*) FROM _archive") == ["3"])
    #expect(try store.lines("SELECT count(DISTINCT archive_id) FROM _objects") == ["3"])

    var options = ConversionOptions()
    options.sourceKinds = [KeyedArchiveKind(), MemoryKind()]
    func verify() throws -> Bool? {
      var verifier = StoreVerifier(
        store: path, inputs: [folder.file(named: "in")], options: options)
      return try verifier.run().verification?.isPassed
    }
    #expect(try verify() == true)
    let editor = try StoreEditor(path)
    try editor.run("UPDATE Note SET title = 'other' WHERE id = 1")
    #expect(try verify() == false)
  }

  @Test("are converted by a mapping")
  func mapped() throws {
    let mapping = try folder.write(
      Data(
        """
        classes: {Note: Memo}
        entities:
          Memo:
            attributes:
              heading: {from: title}
              cents: {from: amount, convert: {decimal: {scale: 1}}}
        """.utf8), to: "mapping.yaml")
    let (store, report, _) = try convert([inputs[0]]) { $0.mappingPath = mapping }
    #expect(report.verification?.isPassed == true)
    #expect(
      try store.lines("SELECT heading, cents FROM Memo ORDER BY id") == [
        "Naïve café|-12.3", "aé|NULL",
      ])
  }
}
