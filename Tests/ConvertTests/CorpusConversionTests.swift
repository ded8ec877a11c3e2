import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite(
  "The corpus of real archives",
  .enabled(if: Repository.corpus != nil, "there is no ../shared/corpus beside the repository"))
struct CorpusConversionTests {
  static let archives = names(in: "keyed-binary") + names(in: "keyed-xml")
  static let others = names(in: "hostile") + names(in: "not-archives")

  /// Files that stand among the hostile ones, for other readers refuse them, but are sound; and
  /// compiled nibs and databases.
  static let sound: Set = [
    "hostile/dpaulus-wrong-archiver.xml", "hostile/dpaulus-wrong-version.xml",
    "hostile/kiler129-missingroot-bin.plist", "hostile/kiler129-missingroot-xml.plist",
    "not-archives/nib-mobilapp-objects-11-0.nib", "not-archives/nib-mobilapp-runtime.nib",
    "not-archives/sequelpro-connect.sketch", "not-archives/sequelpro-table-footer-icons.sketch",
  ]

  /// Classes that are no entities: their objects are values and collections.
  static let valueClasses: Set = [
    "NSArray", "NSCountedSet", "NSData", "NSDate", "NSDecimalNumber",
    "NSDecimalNumberPlaceholder", "NSDictionary", "NSMutableArray", "NSMutableData",
    "NSMutableDictionary", "NSMutableOrderedSet", "NSMutableSet", "NSMutableString", "NSNull",
    "NSNumber", "NSOrderedSet", "NSSet", "NSString", "NSURL", "NSUUID",
  ]

  @Test("converts with every object in place", arguments: Thoroughness.some(archives, oneIn: 4))
  func convertsArchive(name: String) throws {
    let folder = try TemporaryFolder()
    let result = try folder.convert(try Self.path(of: name), "-o", "out.db")
    try #require(result.status == 0, "\(result)")
    #expect(result.errors == "")
    #expect(result.output.hasPrefix("Converted 1 archive in "))
    #expect(try folder.names() == ["out.db"])
    let expected = try Self.reachableObjects(in: name)
    try expectRows(expected, in: try folder.store())
  }

  @Test("converts as a whole into one store")
  func convertsAll() throws {
    let folder = try TemporaryFolder()
    let result = try folder.convert(
      try Self.path(of: "keyed-xml"), try Self.path(of: "keyed-binary"), "-o", "out.db",
      "--provenance")
    try #require(result.status == 0, "\(result)")
    #expect(result.output.hasPrefix("Converted \(Self.archives.count) archives in "))
    var expected: [String: Int] = [:]
    for name in Self.archives {
      expected.merge(try Self.reachableObjects(in: name)) { $0 + $1 }
    }
    let store = try folder.store()
    try expectRows(expected, in: store)
    let entities = try store.lines("SELECT name FROM _class WHERE entity IS NOT NULL")
    let whole = entities.filter {
      !KnownClass.isFoundationValue($0) && !Self.valueClasses.contains($0) && expected[$0] != nil
    }
    let objects = whole.reduce(0) { $0 + (expected[$1] ?? 0) }
    let names = whole.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
    try store.expect("SELECT count(*) FROM _objects WHERE class IN (\(names))", "\(objects)")
  }

  @Test(
    "holds archives inside of archives in few places",
    arguments: [
      ("keyed-binary/imessage-opentableinvited.plist", ["#$top.root[1]|NSKeyedArchiver|root"]),
      (
        "keyed-binary",
        [
          "#$top.root[1]|NSKeyedArchiver|root",
          "#$top.com.apple.xray.owner.template[11][3]|NSArchiver|com.apple.xray.owner.template",
          "#121.$1[0][0][1][3]|NSArchiver|$1", "#121.$1[1][0][1][3]|NSArchiver|$1",
          "#121.$1[0][1][0][1][3]|NSArchiver|$1", "#121.$1[1][1][0][1][3]|NSArchiver|$1",
        ]
      ),
      ("keyed-xml", []),
    ])
  func nested(name: String, expected: [String]) throws {
    let folder = try TemporaryFolder()
    let result = try folder.convert(try Self.path(of: name), "-o", "out.db", "--open-nested")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains(" nested archive") == !expected.isEmpty)
    try folder.store().expectSound()
    try folder.store().expect(
      """
      SELECT substr(inner.path, length(outer.path) + 1), inner.archiver, inner.key
      FROM _archive AS inner JOIN _archive AS outer ON outer.id = inner.parent
      """, expected)
  }

  @Test("is refused where it is no sound archive, with the place of the fault", arguments: others)
  func refuses(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.path(of: name)
    let result = try folder.convert(path, "-o", "out.db", "--provenance")
    if Self.sound.contains(name) {
      #expect(result.status == 0)
      try folder.store().expectSound()
    } else {
      #expect(result.status == 2)
      #expect(result.output == "")
      #expect(result.errorLines.count == 1)
      #expect(result.errors.hasPrefix("\(path): "))
      let isOfWholeFile = [" is truncated after ", " is not a keyed archive: it is "]
        .contains(where: result.errors.contains)
      #expect(result.errors.hasSuffix(")\n") || isOfWholeFile)
      #expect(try folder.names() == [])
    }
  }

  @Test("is left out of a run over all of it, each file for its own reason")
  func skipsOthers() throws {
    let folder = try TemporaryFolder()
    let folders = try ["hostile", "not-archives", "keyed-xml"].map(Self.path)
    let result = try Program.run(folders + ["-o", "out.db"], in: folder.path)
    #expect(result.status == 1)
    let xmlArchives = Self.archives.count { $0.hasPrefix("keyed-xml/") }
    #expect(
      result.output.hasPrefix(
        "Converted \(xmlArchives + Self.sound.count) archives, "
          + "rejected \(result.errorLines.count) in "))
    #expect(result.errorLines.allSatisfy { $0.contains("/hostile/") })
    #expect(
      result.errorLines.allSatisfy { $0.hasSuffix(")") || $0.contains(" is truncated after ") })
    try folder.store().expectSound()
  }

  /// Expects as many rows as there are objects, for each class that is an entity; and an entity
  /// for each class that is no value class.
  ///
  /// Of a value class, only objects that are no values of it
  /// are rows. Records and documents are of no class.
  private func expectRows(_ expected: [String: Int], in store: StoreQuery) throws {
    try store.expectSound()
    var classes: Set<String> = []
    let classesOfRows = try store.rows(
      "SELECT name, entity, hierarchy FROM _class WHERE entity IS NOT NULL")
    for row in classesOfRows {
      let isRecord = row[2].contains("NSDictionary") || row[0] == "Document"
      if isRecord, expected[row[0]] == nil { continue }
      classes.insert(row[0])
      let table = "\"\(row[1].replacing("\"", with: "\"\""))\""
      let count = try store.value("SELECT count(*) FROM \(table)")
      let objects = expected[row[0], default: 0]
      if KnownClass.isFoundationValue(row[0]) || Self.valueClasses.contains(row[0]) {
        #expect(Int(count).map { 1...objects ~= $0 } == true, "\(row[0])")
      } else {
        #expect(count == "\(objects)", "\(row[0])")
      }
    }
    let values = Set(expected.keys).subtracting(classes).subtracting(Self.valueClasses)
    #expect(values.allSatisfy(KnownClass.isFoundationValue))
  }

  // MARK: The corpus

  private static func names(in folder: String) -> [String] {
    Repository.corpusFiles(in: folder).map { "\(folder)/\(($0 as NSString).lastPathComponent)" }
  }

  private static func path(of name: String) throws -> String {
    "\(try #require(Repository.corpus))/\(name)"
  }

  /// The part of the oracle that is compared here.
  private struct Facts: Decodable {
    var reachableByClass: [String: Int]?

    enum CodingKeys: String, CodingKey {
      case reachableByClass = "reachable_by_class"
    }
  }

  private static let oracle = Result {
    try JSONDecoder().decode(
      [String: Facts].self, from: Data(contentsOf: URL(fileURLWithPath: path(of: "oracle.json"))))
  }

  /// How many objects of each class an independent reader finds.
  private static func reachableObjects(in name: String) throws -> [String: Int] {
    let facts = try oracle.get()[(name as NSString).lastPathComponent]
    return try #require(facts?.reachableByClass)
  }
}
