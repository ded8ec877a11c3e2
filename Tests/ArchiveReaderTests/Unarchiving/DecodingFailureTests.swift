import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Errors of a coder")
struct DecodingFailureTests {
  /// Decodes one thing after the other, and keeps what came of it.
  private final class Diary: KeyedDecodable {
    static let archivedClassNames = ["Diary"]
    var entries: [String] = []

    init(coder: KeyedCoder) throws {
      entries.append(try coder.decodeString(forKey: "absent") ?? "nil")
      entries.append(try coder.decodeString(forKey: "title") ?? "nil")
      entries.append("\(try coder.decodeInteger(forKey: "title"))")
      entries.append(coder.error == nil ? "no error" : "an error")
      entries.append(try coder.decodeString(forKey: "title") ?? "nil")
      entries.append("\(try coder.decodeDouble(forKey: "number"))")
      entries.append("\(try coder.decodeBool(forKey: "title"))")
      entries.append("\(try coder.decodeReference(to: Diary.self, forKey: "next") == nil)")
    }
  }

  private func unarchiver(_ policy: DecodingFailurePolicy) throws -> KeyedUnarchiver {
    try KeyedUnarchiver.of(
      [Diary.self],
      { archive in
        let slot = archive.reserve()
        return archive.fill(
          slot, className: "Diary",
          ["title": archive.string("t"), "number": 2.5, "next": slot.reference])
      }, configure: { $0.decoding.failurePolicy = policy })
  }

  private let error = ArchiveError(
    .wrongKind, at: .object(1, key: "title"), name: "an integer of 64 bits")

  @Test("are thrown at once, if that is the policy")
  func raise() throws {
    let unarchiver = try unarchiver(.raise)
    #expect(throws: error) { try unarchiver.decodeRoot(of: Diary.self) }
    #expect(unarchiver.failure == nil)
  }

  @Test("are kept and thrown at the end, if that is the policy")
  func setErrorAndReturn() throws {
    let unarchiver = try unarchiver(.setErrorAndReturn)
    #expect(throws: error) { try unarchiver.decodeRoot(of: Diary.self) }
    #expect(unarchiver.failure as? ArchiveError == error)

    // Whoever decodes step by step sees that all that comes behind the error is nothing.
    let second = try self.unarchiver(.setErrorAndReturn)
    let diary = try second.coder.decodeTopLevelObject(of: Diary.self, forKey: "root")
    #expect(
      diary?.entries == ["nil", "t", "0", "an error", "nil", "0.0", "false", "true"])
    #expect(try second.coder.decodeTopLevelObject(forKey: "root") == nil)
    #expect(second.coder.error as? ArchiveError == error)
    #expect(throws: error) { try second.finishDecoding() }
  }

  @Test("of references are thrown again, since who waited for them is incomplete")
  func incomplete() throws {
    let unarchiver = try KeyedUnarchiver.of([Branch.self]) { archive in
      let broken = archive.instance(of: "Branch", ["name": 7])
      archive.setTop("other", archive.instance(of: "Branch", ["name": "other"]))
      return archive.instance(of: "Branch", ["name": "root", "next": broken])
    }
    let error = ArchiveError(.wrongKind, at: .object(1, key: "name"), name: "text")
    #expect(throws: error) { try unarchiver.decodeRoot(of: Branch.self) }
    #expect(throws: error) { try unarchiver.decodeRoot(of: Branch.self) }
    #expect(throws: error) { try unarchiver.coder.decodeTopLevelObject(forKey: "other") }
    #expect(throws: error) { try unarchiver.finishDecoding() }
  }

  @Test("are not made of keys that are absent, or hold nil")
  func absent() throws {
    var options = UnarchivingOptions()
    options.decoding.failurePolicy = .setErrorAndReturn
    let coder = try Probe.with(options) { _ in ["none": .none, "last": 7] }.coder
    #expect(try coder.decodeObject(forKey: "absent") == nil)
    #expect(try coder.decodeObject(of: Probe.self, forKey: "none") == nil)
    #expect(try coder.decodeDate(forKey: "absent") == nil)
    #expect(try coder.decodeInteger(forKey: "last") == 7)
    #expect(coder.error == nil)
  }

  @Test("may be one's own, and the first counts")
  func own() throws {
    struct Refusal: Error, Equatable { var number: Int }
    var options = UnarchivingOptions()
    let raising = try Probe.with(options).coder
    #expect(throws: Refusal(number: 1)) { try raising.failWithError(Refusal(number: 1)) }
    options.decoding.failurePolicy = .setErrorAndReturn
    let keeping = try Probe.with(options).coder
    try keeping.failWithError(Refusal(number: 1))
    try keeping.failWithError(Refusal(number: 2))
    #expect(keeping.error as? Refusal == Refusal(number: 1))
    #expect(throws: Refusal(number: 1)) { try keeping.unarchiver.finishDecoding() }
  }

  static let words: [(code: ArchiveError.Code, name: String?, words: String)] = [
    (.wrongKind, "a date", "the value is not a date"),
    (.outOfRange, "an integer of 32 bits", "the number does not fit an integer of 32 bits"),
    (.misfitObject, "NSDate", "the object's keys do not match NSDate"),
    (.unknownClass, "Note", "no type is known for the class Note"),
    (.classNotAllowed, "Note", "an object of the class Note is not allowed here"),
    (
      .cyclicObject, "7",
      "object 7 refers back to itself: decode a reference to it instead"
    ),
    (
      .replacedTooLate, "Note",
      "an object of the class Note was returned before it was replaced"
    ),
    (.nilElement, nil, "the collection contains nil"),
    (.notTopLevel, nil, "top-level objects can be decoded only at the outermost level"),
    (.unsupportedTypeCode, "{a=d}", "type code {a=d} is not a scalar type"),
  ]

  @Test("say in words what is wrong", arguments: words)
  func description(row: (code: ArchiveError.Code, name: String?, words: String)) {
    let error = ArchiveError(row.code, at: .object(3, key: "when"), name: row.name)
    #expect("\(error)" == "\(row.words) (object 3, key when)")
  }
}
