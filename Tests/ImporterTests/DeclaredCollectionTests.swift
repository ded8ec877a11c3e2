import ArchiveWriter
import Converter
import TestSupport
import Testing

/// Archives that hold something else than the archive for which a mapping was made.
@Suite("A collection that a mapping declares")
struct DeclaredCollectionTests {
  /// What a mapping says of the collection `p`, what objects hold there, and what comes of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var settings: String
    var lines: [String]
    var values: @Sendable (inout KeyedArchiveBuilder) -> [PropertyListValue]
    var testDescription: String { "{\(settings)} → \(lines)" }

    init(
      _ settings: String, _ lines: [String],
      values: @escaping @Sendable (inout KeyedArchiveBuilder) -> [PropertyListValue]
    ) {
      (self.settings, self.lines, self.values) = (settings, lines, values)
    }

    static let all = [
      Case("ordered: true, values: integer", ["NULL|'00701'", "NULL|12", "NULL|'1e3'"]) {
        [$0.array([$0.string("00701"), .integer(12), $0.string("1e3")])]
      },
      Case("ordered: true, values: string", ["NULL|5", "NULL|'x'"]) {
        [$0.array([.integer(5), $0.string("x")])]
      },
      Case("values: double", ["NULL|9007199254740993"]) {
        [$0.set([.integer(9_007_199_254_740_993)])]
      },
      Case("values: string", ["'k'|'v'"]) { [$0.dictionary([$0.string("k"): $0.string("v")])] },
      Case("values: string", ["NULL|'U'"]) { [$0.array([$0.instance(of: "U")])] },
    ]
  }

  @Test("has room for what the archives hold besides", arguments: Case.all)
  func room(_ found: Case) throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let objects = found.values(&archive).map { archive.instance(of: "T", ["p": $0]) }
      return archive.array(objects)
    }
    var conversion = try SteeredConversion(
      [archive],
      mapping: "entities: {T: {complete: true, collections: {p: {\(found.settings)}}}, U: {}}",
      ImportExtensions())
    conversion.options.verifies = true
    let (store, report) = try conversion.run()
    #expect(report.verification?.differences == [])
    let columns = try store.columns("T_p").map { $0.split(separator: " ")[0] }
    let key = columns.contains("key") ? "key" : "NULL"
    let value = columns.contains("value_type") ? "coalesce(value, value_type)" : "value"
    #expect(
      try store.lines("SELECT quote(\(key)), quote(\(value)) FROM T_p ORDER BY id") == found.lines)
  }

  @Test(
    "refuses what is none, where nothing else takes it",
    arguments: [
      ("complete: true, collections: {p: {values: string}}", false),
      ("complete: true, collections: {p: {valueReferences: true}}", false),
      ("complete: true, attributes: {p: {}}, collections: {p: {values: string}}", true),
      ("collections: {p: {values: string}}", true), ("collections: {p: {}}", true),
    ])
  func refusal(block: String, isTaken: Bool) throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "T", ["p": archive.string("text")])
    }
    let conversion = try SteeredConversion(
      [archive], mapping: "entities: {T: {\(block)}}", ImportExtensions())
    if isTaken {
      #expect(try conversion.run().store.lines("SELECT p FROM T") == ["text"])
    } else {
      let messages = try conversion.failure()
      #expect(messages.count == 1)
      #expect(messages[0].hasSuffix("(T): T.p: cannot hold this text (it is a collection)"))
    }
  }

  @Test("is not what a relationship takes for its rows if it has keys")
  func keyed() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let pairs = archive.dictionary([archive.string("k"): archive.instance(of: "U")])
      return archive.instance(of: "T", ["p": pairs])
    }
    let conversion = try SteeredConversion(
      [archive], mapping: "entities: {U: {}, T: {relationships: {p: {to: U, toMany: true}}}}",
      ImportExtensions())
    let messages = try conversion.failure()
    #expect(messages.count == 1)
    #expect(
      messages[0].hasSuffix("(T): T.p: cannot hold this dictionary (it refers to rows of U)"))
  }

  @Test("counts what is there where identities merge its owners")
  func counts() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let lists: [PropertyListValue?] = [
        archive.array([]), archive.array([archive.string("x")]), archive.array([]), nil,
      ]
      let identities: [Int64] = [1, 1, 2, 3]
      return archive.array(
        zip(identities, lists).map { id, list in
          archive.instance(
            of: "T", [KeyValue("v", .integer(id))] + (list.map { [KeyValue("t", $0)] } ?? []))
        })
    }
    var conversion = try SteeredConversion(
      [archive], mapping: "entities: {T: {identity: v}}", ImportExtensions())
    conversion.options.verifies = true
    let (store, report) = try conversion.run(isRepeated: false)
    #expect(report.verification?.differences == [])
    #expect(try store.lines("SELECT v, t_count FROM T") == ["1|1", "2|0", "3|NULL"])
  }

  @Test("keeps its rows where an archive that is added holds none")
  func additions() throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "out.sqlite")
    for number in 0...1 {
      let archive = KeyedArchiveBuilder.archive { archive in
        let kids = archive.array(number == 0 ? [archive.instance(of: "U")] : [])
        return archive.instance(of: "T", ["v": .integer(1), "kids": kids])
      }
      var options = ConversionOptions()
      options.existingStore = .append
      options.mappingPath = try folder.write("entities: {T: {identity: v}}", to: "mapping.yaml")
      var conversion = Conversion(
        inputs: [try folder.write(archive.binary(), to: "a\(number).plist")], destination: path,
        options: options)
      #expect(try conversion.run().conflicts.isEmpty)
    }
    #expect(try StoreQuery(path).lines("SELECT T_id, U_id FROM T_kids") == ["1|1"])
  }
}
