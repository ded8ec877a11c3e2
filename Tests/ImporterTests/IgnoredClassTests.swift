import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Keys with objects of an ignored class")
struct IgnoredClassTests {
  /// What an object of the class `Note` holds, and what the report lists as unread and as ignored.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var unread: [String]
    var ignored: [String]
    var value: @Sendable (inout KeyedArchiveBuilder, PropertyListValue) -> PropertyListValue

    init(
      _ description: String, unread: [String] = [], ignored: [String] = [],
      value: @escaping @Sendable (inout KeyedArchiveBuilder, PropertyListValue) -> PropertyListValue
    ) {
      (testDescription, self.unread, self.ignored) = (description, unread, ignored)
      self.value = value
    }

    static let all = [
      Case("alone", ignored: ["Note.p 2"]) { $1 },
      Case("in an array", ignored: ["Note.p 2"]) { $0.array([$1]) },
      Case("in a set, with nothing", ignored: ["Note.p 2"]) { $0.set([$1, $0.null()]) },
      Case("as values of a dictionary") { $0.dictionary([$0.string("k"): $1]) },
      Case("with another object") { $0.array([$1, $0.instance(of: "Other")]) },
    ]
  }

  @Test("are ignored on purpose where there is nothing else", arguments: Case.all)
  func keys(_ found: Case) throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let junk = archive.instance(of: "Junk", ["x": .integer(1)])
      let notes = [0, 1].map { _ in
        archive.instance(of: "Note", ["n": .integer(1), "p": found.value(&archive, junk)])
      }
      return archive.array(notes)
    }
    let (_, report) = try SteeredConversion(
      [archive], mapping: "classes: {Junk: {ignore: true}}", ImportExtensions()
    ).run()
    #expect(report.unread == found.unread)
    #expect(report.ignored == found.ignored)
    #expect(report.unvisitedObjects.isEmpty)
  }
}
