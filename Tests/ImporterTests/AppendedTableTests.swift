import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Tables of a store that is added to")
struct AppendedTableTests {
  /// An archive in which a note holds texts, whose table is Note_labels.
  private static let texts = KeyedArchiveBuilder.of("Note") { archive in
    ["labels": archive.array([archive.string("a"), archive.string("b")])]
  }

  /// One with objects of a class that has the name of this table.
  private static let objects = KeyedArchiveBuilder.of("Note_labels") { archive in
    ["name": archive.string("c")]
  }

  /// One in which a note holds a record, whose entity has the same name.
  private static let record = KeyedArchiveBuilder.of("Note") { archive in
    [
      "labels": archive.dictionary([
        archive.string("name"): archive.string("d"), archive.string("number"): 1,
      ])
    ]
  }

  @Test(
    "hold what they held, or the run is refused with words",
    arguments: [
      (texts, objects, "Note_labels holds something else there: each of its rows has Note_id"),
      (texts, record, "Note_labels holds something else there: each of its rows has Note_id"),
      (objects, texts, "Note_labels has no column Note_id"),
      (record, texts, "Note_labels has no column Note_id"),
    ])
  func otherTables(
    first: KeyedArchiveBuilder, second: KeyedArchiveBuilder, words: String
  ) throws {
    let folder = try TemporaryFolder()
    let store = folder.file(named: "out.db")
    func add(_ archive: KeyedArchiveBuilder, _ name: String) throws {
      var options = ConversionOptions()
      options.existingStore = .append
      options.verifies = true
      let input = try folder.write(archive.binary(), to: name)
      var conversion = Conversion(inputs: [input], destination: store, options: options)
      #expect(try conversion.run().verification?.isPassed == true)
    }
    try add(first, "a")
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    let error = #expect(throws: ConversionError.self) { try add(second, "b") }
    #expect(error?.messages.first?.hasSuffix(words) == true, "\(error?.messages ?? [])")
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
  }
}
