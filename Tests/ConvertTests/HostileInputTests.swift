import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Hostile input")
struct HostileInputTests {
  /// A file, and the error that it has to end with.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var complaint: String
    /// The bytes, which are made once for all tests.
    var file: Data

    init(_ name: String, _ complaint: String, _ make: () -> Data) {
      testDescription = name
      self.complaint = complaint
      file = make()
    }
  }

  @Test("ends with an error, in bounded memory and without a store", arguments: refused)
  func isRefused(hostile: Case) throws {
    let folder = try TemporaryFolder()
    try folder.write(hostile.file, to: "hostile")
    let result = try folder.convert("hostile", "-o", "out.db", limits: HostileFile.limits)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors == "hostile: \(hostile.complaint)\n")
    #expect(try folder.names() == ["hostile"])
  }

  @Test(
    "ends inspection, too, within the limits", arguments: refused, ["--json", "--tree"])
  func isInspected(hostile: Case, form: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(hostile.file, to: "hostile")
    let result = try folder.convert("inspect", "hostile", form, limits: HostileFile.limits)
    #expect(result.signal == nil)
    #expect([0, 1, 2].contains(result.status))
    #expect(result.output.utf8.count < 1 << 20)
    if result.status != 0 { #expect(result.errors.hasPrefix("hostile: ")) }
  }

  static let otherList =
    "is not a keyed archive: it is a plain binary property list"

  static let refused = bareLists + frames + expansions

  // MARK: Property lists that are no archives

  static let bareLists = [
    Case("an array that holds itself", otherList) { HostileFile.selfContainingArray() },
    Case("arrays 200,000 deep", otherList) { HostileFile.deepArrays(200_000) },
    Case("arrays that double 60 times", otherList) { HostileFile.doublingArrays(60) },
    Case(
      "an array of 2^60 elements", "the object extends past the end of the objects (byte 8)"
    ) {
      HostileFile.list(of: [0xAF, 0x13, 0x10, 0, 0, 0, 0, 0, 0, 0])
    },
    Case(
      "a string of 2^63 - 1 bytes", "the object extends past the end of the objects (byte 8)"
    ) {
      HostileFile.list(of: [0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    },
    Case(
      "a list that claims 2^62 objects",
      "the trailer of the binary property list is damaged: number of objects (byte 18)"
    ) {
      HostileFile.list(of: [0x08], claiming: 1 << 62)
    },
    Case(
      "XML entities that multiply",
      "the XML declares an entity; property lists declare none (line 3, column 18)"
    ) {
      HostileFile.multiplyingEntities()
    },
    Case(
      "an XML entity that is a file",
      "the XML declares an entity; property lists declare none (line 2, column 61)"
    ) {
      HostileFile.fileEntity()
    },
    Case(
      "XML arrays 200,000 deep",
      "nesting is deeper than the limit of 512 levels; raise it with --limit depth=N (line 1)"
    ) { HostileFile.deepXML(200_000) },
  ]

  // MARK: Archives whose frame is torn

  static let frames = [
    Case(
      "a UID out of range",
      "refers to object 4294967295, which does not exist (object 1, key other)"
    ) {
      HostileFile.archive { $0.instance(of: "Torn", ["other": .uid(.max)]) }
    },
    Case(
      "a class record that is a string",
      "the object's $class does not refer to a class record (object 1, key $class)"
    ) {
      HostileFile.archive { archive in
        let slot = archive.reserve()
        archive.fill(slot, with: ["$class": archive.string("Torn")])
        return slot.reference
      }
    },
    Case(
      "a class record that is its own object",
      "the class record's $classname is missing or is not a string (object 1, key $classname)"
    ) {
      HostileFile.archive { archive in
        let slot = archive.reserve()
        archive.fill(slot, with: ["$class": slot.reference])
        return slot.reference
      }
    },
  ]

  // MARK: Archives that grow

  /// The error at the object with which an archive is too large.
  private static func growth(whole: Int, else part: Int, _ key: String = "") -> String {
    "values would expand to more than the limit of 64 times the file's size; "
      + "raise it with --limit expansion=N (object \(Thoroughness.isWhole ? whole : part)\(key))"
  }

  /// How many objects share something, and how many elements that has.
  private static let count = Thoroughness.isWhole ? 100_000 : 20_000

  static let expansions = [
    Case(
      "as many owners as an array has elements that they share",
      growth(whole: 69, else: 73, ", key shared")
    ) {
      HostileFile.sharing(owners: count) { archive in
        let leaf = archive.addObject(archive.string("leaf"))
        let list = archive.node(.array(Array(repeating: leaf, count: count)))
        return archive.addObject(archive.instance(of: "NSArray", ["NS.objects": list]))
      }
    },
    Case(
      "as many owners as an inline array has elements that they share",
      growth(whole: 66, else: 70, ", key shared")
    ) {
      HostileFile.sharing(owners: count) { archive in
        let leaf = archive.string("leaf")
        return archive.node(.array(Array(repeating: leaf, count: count)))
      }
    },
    Case(
      "many owners that share a string of a megabyte",
      growth(whole: 178, else: 95)
    ) {
      HostileFile.sharing(owners: count) { archive in
        archive.addObject(archive.string(String(repeating: "x", count: 1 << 20)))
      }
    },
    Case(
      "many owners that share data of a megabyte",
      growth(whole: 177, else: 94)
    ) {
      HostileFile.sharing(owners: count) { archive in
        archive.node(.value(.data(Data(count: 1 << 20))))
      }
    },
  ]
}
