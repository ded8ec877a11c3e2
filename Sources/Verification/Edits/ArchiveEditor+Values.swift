import ArchiveReader
import ArchiveWriter
import DataModel
import Foundation
import Mappings
import Stores

extension ArchiveEditor {
  /// A value of a column in the form in which an archive holds it.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - known: A value of the same key, in whose form it is.
  ///   - type: The type of the attribute, for a key without one.
  ///   - fail: Makes the error for a reason.
  /// - Returns: The value, or the reference to it.
  /// - Throws: The error if the archive cannot hold it in that form.
  mutating func part(
    for value: StoredValue, like known: Standing?, _ type: AttributeType?,
    _ fail: (String) -> EditError
  ) throws -> ArchiveCopy.Part {
    if case .text(let text) = value {
      // An archive has it for nil, and SQLite gives it for what is not UTF-8.
      guard text != "$null" else { throw fail("an archive has no text '$null'") }
      guard !text.unicodeScalars.contains("\u{FFFD}") else {
        throw fail("the text is not in UTF-8, or has a replacement character")
      }
    }
    guard let known else { return try newPart(for: value, type, fail) }
    let leaf: PropertyListValue
    switch (known.value, value) {
    case (.bool, .integer(let number)):
      guard (0...1).contains(number) else { throw fail("the key holds 0 or 1") }
      leaf = .bool(number == 1)
    case (.integer, .integer(let number)), (.wideInteger, .integer(let number)):
      leaf = .integer(number)
    case (.wideInteger, .text(let text)), (.integer, .text(let text)):
      guard text.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "-" }) else {
        throw fail("the key holds whole numbers")
      }
      guard let number = UInt64(text), number > Int64.max else {
        throw fail("an archive has whole numbers from -2^63 to 2^64 - 1")
      }
      leaf = .unsigned(number)
    case (.integer, _), (.wideInteger, _), (.bool, _):
      throw fail("the key holds whole numbers")
    // A column of mixed values tells integers from reals.
    case (.real, .integer) where type == .mixed: return try newPart(for: value, type, fail)
    case (.real, .real(let number)): leaf = .real(number)
    case (.real, .integer(let number)): leaf = .real(Double(number))
    case (.real, .text("NaN")): leaf = .real(.nan)
    case (.real, _): throw fail("the key holds numbers")
    case (.text, .text(let text)): leaf = .string(text)
    case (.text, _): throw fail("the key holds texts")
    case (.data, .blob(let bytes)): leaf = .data(bytes)
    case (.data, _): throw fail("the key holds data")
    case (.date, .text(let text)): leaf = .date(try Self.seconds(text, fail))
    case (.date, _): throw fail("the key holds dates")
    case (.uuid, .text(let text)): leaf = .data(try Self.uuid(text, fail))
    case (.uuid, _): throw fail("the key holds UUIDs")
    case (.url, .text(let text)), (.relativeURL, .text(let text)): leaf = .string(text)
    case (.url, _), (.relativeURL, _): throw fail("the key holds URLs")
    case (.decimal, .text), (.decimal, .integer): leaf = .null
    case (.object, _), (.collection, _): return try newPart(for: value, type, fail)
    default: throw fail("values of this class cannot be put back")
    }
    guard let uid = copy.uid(of: known.part) else {
      if case .decimal = known.value { throw fail("values of this class cannot be put back") }
      return .leaf(leaf)
    }
    guard let entries = copy.entries(of: copy[uid]) else { return reference(to: .leaf(leaf)) }
    return try object(like: entries, known.value, leaf, value, fail)
  }

  /// A copy of an object of Foundation with another value.
  private mutating func object(
    like entries: [(key: ArchiveCopy.Part, value: ArchiveCopy.Part)], _ known: GraphValue,
    _ leaf: PropertyListValue, _ value: StoredValue, _ fail: (String) -> EditError
  ) throws -> ArchiveCopy.Part {
    var new: [String: ArchiveCopy.Part] = [:]
    let names = entries.compactMap { copy.name($0.key) }
    switch (known, leaf) {
    case (.text, .string(let text)) where names.contains("NS.bytes"):
      new["NS.bytes"] = .leaf(.data(Data(text.utf8)))
    case (.text, _): new["NS.string"] = .leaf(leaf)
    case (.date, .date(let seconds)): new["NS.time"] = .leaf(.real(seconds))
    case (.data, _): new[names.contains("NS.bytes") ? "NS.bytes" : "NS.data"] = .leaf(leaf)
    case (.uuid, _): new["NS.uuidbytes"] = .leaf(leaf)
    case (.url, _), (.relativeURL, _):
      new["NS.relative"] = reference(to: .leaf(leaf))
      guard hasNil else { throw fail("the archive has no nil") }
      new["NS.base"] = .leaf(.none)
    case (.decimal, _):
      for pair in try Self.decimal(value, fail) { new[pair.key] = .leaf(pair.value) }
    case (.bool, _), (.integer, _), (.real, _):
      let keys = ["NS.intval", "NS.dblval", "NS.boolval"].filter(names.contains)
      if keys.count == 1 { new[keys[0]] = .leaf(leaf) }
    default: break
    }
    guard !new.isEmpty, new.keys.allSatisfy(names.contains) else {
      throw fail("values of this class cannot be put back")
    }
    let changed = entries.map { entry in
      (entry.key, copy.name(entry.key).flatMap { new[$0] } ?? entry.value)
    }
    return .reference(copy.add(.dictionary(changed)))
  }

  /// A value for a key without one: numbers stand where they are, others are objects.
  private mutating func newPart(
    for value: StoredValue, _ type: AttributeType?, _ fail: (String) -> EditError
  ) throws -> ArchiveCopy.Part {
    switch (value, type) {
    case (.integer(let number), .boolean?) where (0...1).contains(number):
      return .leaf(.bool(number == 1))
    case (.integer(let number), .double?), (.integer(let number), .float?):
      return .leaf(.real(Double(number)))
    case (.integer(let number), _): return .leaf(.integer(number))
    case (.real(let number), _): return .leaf(.real(number))
    case (.text(let text), .date?):
      return instance("NSDate", [("NS.time", .leaf(.real(try Self.seconds(text, fail))))])
    case (.text(let text), .uuid?):
      return instance("NSUUID", [("NS.uuidbytes", .leaf(.data(try Self.uuid(text, fail))))])
    case (.text(let text), .uri?):
      guard hasNil else { throw fail("the archive has no nil") }
      return instance(
        "NSURL",
        [("NS.base", .leaf(.none)), ("NS.relative", reference(to: .leaf(.string(text))))])
    case (.text, .decimal?):
      let pairs = try Self.decimal(value, fail)
      return instance(
        "NSDecimalNumberPlaceholder", pairs.map { ($0.key, ArchiveCopy.Part.leaf($0.value)) })
    case (_, .json?), (_, .attributedText?), (_, .transformable?):
      throw fail("values of this class cannot be put back")
    case (.text(let text), _): return reference(to: .leaf(.string(text)))
    case (.blob(let bytes), _): return reference(to: .leaf(.data(bytes)))
    case (.null, _): return .leaf(.none)
    }
  }

  /// True if the first object stands for nil: that of a compiled nib is its root.
  var hasNil: Bool { copy.archive.objectCount > 0 && copy.name(copy[0]) == "$null" }

  // MARK: Texts of values

  package static func seconds(_ text: String, _ fail: (String) -> EditError) throws -> Double {
    if let date = ISO8601Text.date(text) { return date.timeIntervalSinceReferenceDate }
    // Beyond all calendars, dates are numbers.
    guard let seconds = Double(text), abs(seconds) >= 9_007_199_254_740_992 || !seconds.isFinite
    else { throw fail("the text is not a date in ISO 8601 with a zone") }
    return seconds
  }

  package static func uuid(_ text: String, _ fail: (String) -> EditError) throws -> Data {
    guard let uuid = UUID(uuidString: text) else { throw fail("the text is not a UUID") }
    return Data(uuid.bytes)
  }

  package static func decimal(
    _ value: StoredValue, _ fail: (String) -> EditError
  ) throws -> [KeyValue] {
    let text: String
    switch value {
    case .text(let digits): text = digits
    case .integer(let number): text = "\(number)"
    default: throw fail("the key holds decimal numbers")
    }
    guard let pairs = try? KeyedArchiveBuilder.decimalPairs(text) else {
      throw fail("the text is not a decimal number of at most 38 digits")
    }
    return pairs
  }
}
