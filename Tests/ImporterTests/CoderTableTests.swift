import ArchiveReader
import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// What both coders are asked.
private protocol AskedCoder {
  func decodeBool(forKey key: String) throws -> Bool
  func decodeInt32(forKey key: String) throws -> Int32
  func decodeInt64(forKey key: String) throws -> Int64
  func decodeInteger(forKey key: String) throws -> Int
  func decodeFloat(forKey key: String) throws -> Float
  func decodeDouble(forKey key: String) throws -> Double
  func decodeString(forKey key: String) throws -> String?
  func decodeDate(forKey key: String) throws -> Date?
  func decodeData(forKey key: String) throws -> Data?
  func decodeUUID(forKey key: String) throws -> UUID?
  func decodeURL(forKey key: String) throws -> URL?
  func decodeDecimal(forKey key: String) throws -> Decimal?
  func decodeBytes(forKey key: String) throws -> Data?
  func decodePoint(forKey key: String) throws -> CGPoint
  func decodeSize(forKey key: String) throws -> CGSize
  func decodeRect(forKey key: String) throws -> CGRect
  func texts(_ key: String) throws -> [String]?
  func isNothing(_ key: String) throws -> Bool
  func isNothing(_ classes: [String], _ key: String) throws -> Bool
  func isNoPropertyList(_ key: String) throws -> Bool
  func next(_ type: String) throws -> String?
}

extension KeyedCoder: AskedCoder {
  fileprivate func texts(_ key: String) throws -> [String]? { try decodeArray(forKey: key) }
  fileprivate func isNothing(_ key: String) throws -> Bool { try decodeObject(forKey: key) == nil }
  fileprivate func isNothing(_ classes: [String], _ key: String) throws -> Bool {
    try decodeObject(ofClasses: classes.map { .name($0) }, forKey: key) == nil
  }
  fileprivate func isNoPropertyList(_ key: String) throws -> Bool {
    try decodePropertyList(forKey: key) == nil
  }
  fileprivate func next(_ type: String) throws -> String? {
    switch try decodeValue(ofObjCType: type) {
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .wideInteger(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): text
    default: nil
    }
  }
}

extension ImportCoder: AskedCoder {
  fileprivate func texts(_ key: String) throws -> [String]? { try decodeArray(forKey: key) }
  fileprivate func isNothing(_ key: String) throws -> Bool { try decodeObject(forKey: key).isNull }
  fileprivate func isNothing(_ classes: [String], _ key: String) throws -> Bool {
    try decodeObject(ofClasses: classes, forKey: key).isNull
  }
  fileprivate func isNoPropertyList(_ key: String) throws -> Bool {
    try decodePropertyList(forKey: key).isNull
  }
  fileprivate func next(_ type: String) throws -> String? {
    switch try decodeValue(ofObjCType: type) {
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .text(let text): text
    default: nil
    }
  }
}

extension AskedCoder {
  /// What each way to decode gives of a key, those left out that say it is of another kind.
  fileprivate func answers(_ key: String) -> [String] {
    let asked: [(String, () throws -> Any?)] = [
      ("bool", { try decodeBool(forKey: key) }), ("int32", { try decodeInt32(forKey: key) }),
      ("int64", { try decodeInt64(forKey: key) }),
      ("integer", { try decodeInteger(forKey: key) }),
      ("float", { try decodeFloat(forKey: key) }), ("double", { try decodeDouble(forKey: key) }),
      ("string", { try decodeString(forKey: key) }),
      ("date", { try decodeDate(forKey: key)?.timeIntervalSinceReferenceDate }),
      ("data", { try decodeData(forKey: key)?.count }), ("uuid", { try decodeUUID(forKey: key) }),
      ("url", { try decodeURL(forKey: key) }), ("decimal", { try decodeDecimal(forKey: key) }),
      ("bytes", { try decodeBytes(forKey: key)?.count }),
      ("point", { try decodePoint(forKey: key).x }),
      ("size", { try decodeSize(forKey: key).width }),
      ("rect", { try decodeRect(forKey: key).width }), ("texts", { try texts(key) }),
      ("object", { try isNothing(key) ? nil : "*" }),
      ("text or array", { try isNothing(["NSString", "NSArray"], key) ? nil : "*" }),
      ("property list", { try isNoPropertyList(key) ? nil : "*" }),
    ]
    let answers = asked.map { ($0.0, Self.answer($0.1)) }.filter { $0.1 != "!wrongKind" }
    return answers.map { "\($0.0) \($0.1)" }
  }

  /// What comes of the values without a key, each asked for by a type code.
  fileprivate func answers(to codes: [String]) -> [String] {
    codes.map { code in "\(code) \(Self.answer { try next(code) })" }
  }

  private static func answer(_ ask: () throws -> Any?) -> String {
    do {
      return try ask().map { "\($0)" } ?? "nil"
    } catch let error as ArchiveError {
      return "!\(error.code.rawValue)"
    } catch let error as ImportError {
      return "!\(error.code.rawValue)"
    } catch {
      return "!"
    }
  }
}

/// What both coders answer of everything that can stand under a key, as one table: they differ where
/// Documentation/reading.md and hooks.md say so.
@Suite("Both coders")
struct CoderTableTests {
  private typealias Maker = @Sendable (inout KeyedArchiveBuilder) throws -> PropertyListValue

  private static let cells: KeyValuePairs<String, Maker> = [
    "nil": { _ in .none }, "NSNull": { $0.null() }, "true": { _ in true }, "7": { _ in 7 },
    "2.0": { _ in 2.0 }, "2.5": { _ in 2.5 }, "1e300": { _ in 1e300 },
    "1 << 40": { _ in .integer(1 << 40) }, "number 7": { $0.number(7) },
    "number 1 << 40": { $0.number(1 << 40) }, "wide": { $0.add(.unsigned(.max)) },
    "decimal 0.1": { try $0.decimal("0.1") }, "decimal 12": { try $0.decimal("12") },
    "text in place": { _ in "{1, 2}" }, "text": { $0.string("x") },
    "point": { $0.string("{1, 2}") }, "rect": { $0.string("{{1, 2}, {3, 4}}") },
    "value": {
      $0.instance(of: "NSValue", ["NS.special": 1, "NS.pointval": $0.string("{5, 6}")])
    },
    "bytes": { _ in .data(Data([1, 2])) }, "data": { $0.data(Data([1, 2])) },
    "date": { $0.date(secondsSince2001: 1.5) },
    "uuid": {
      $0.uuid(try #require(UUID(uuidString: "3F2504E0-4F89-41D3-9A0C-0305E82C3301")))
    },
    "url": { $0.url("b", base: $0.url("https://example.org/a/")) },
    "url with a space": { $0.url("a:b c") }, "array": { $0.array(["x", "y"]) },
    "array with nil": { $0.array([.none, "y"]) }, "set": { $0.set(["x"]) },
    "mixed array": { $0.array(["x", 1]) }, "dictionary": { $0.dictionary(["x": 1]) },
  ]

  private static let codes: KeyValuePairs<String, PropertyListValue> = [
    "B": true, "c": -128, "C": 256, "s": .integer(1 << 15), "S": 65535, "i": 5,
    "l": .integer(1 << 31),
    "Q": .unsigned(.max), "q": .unsigned(.max), "f": 0.1, "d": 0.1, "@": .none, "I": 2.0, "x": 1,
  ]

  /// Asks a coder of own types, or of hooks.
  private struct Asking: KeyedDecodable, ImportHook {
    static let archivedClassNames = ["Probe"]
    var lines: [String] = []

    init(coder: KeyedCoder) throws { lines = Self.lines(coder) }

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      for line in lines(coder) {
        let row = try coder.insert(into: "Reading")
        row["key"] = "line"
        row["found"] = line
      }
      return nil
    }

    private static func lines(_ coder: some AskedCoder) -> [String] {
      (cells.map(\.key) + ["absent"]).map { key in
        "\(key): \(coder.answers(key).joined(separator: ", ")) ."
      } + ["codes: \(coder.answers(to: codes.map(\.key) + ["i", "B"]).joined(separator: ", "))"]
    }
  }

  /// The answers of both, one line where they are the same.
  private func table(strict: Bool) throws -> [String] {
    let archive = try KeyedArchiveBuilder.archive { archive in
      let keys = try Self.cells.map { KeyValue($0.key, try $0.value(&archive)) }
      return archive.instance(of: "Probe", keys, unkeyed: Self.codes.map(\.value))
    }
    let decoding = DecodingOptions(isStrict: strict)
    let unarchiver = try KeyedUnarchiver(
      bytes: archive.binary(), options: UnarchivingOptions(types: [Asking.self], decoding: decoding)
    )
    let own = try #require(try unarchiver.decodeRoot(of: Asking.self)).lines
    let (store, _) = try SteeredConversion(
      [archive], model: HookModel.document,
      ImportExtensions(hooks: [Asking.self], decoding: decoding)
    ).run()
    let hooks = try store.lines("SELECT found FROM Reading ORDER BY id")
    return zip(own, hooks).flatMap { own, hook in
      own == hook ? [own] : ["own types, \(own)", "hooks, \(hook)"]
    }
  }

  @Test("answer alike where they are lenient, but for what is told")
  func lenient() throws {
    #expect(try table(strict: false).joined(separator: "\n") == Self.lenientTable)
  }

  @Test("answer alike where they are strict, but for what is told")
  func strict() throws {
    let lenient = Self.lenientTable.split(separator: "\n")
    let rows = try table(strict: true).filter { !lenient.contains($0[...]) }
    #expect(rows.joined(separator: "\n") == Self.strictTable)
  }

  private static let lenientTable = """
    own types, nil: bool false, int32 0, int64 0, integer 0, float 0.0, double 0.0, string nil, \
    date nil, data nil, uuid nil, url nil, decimal nil, bytes nil, point 0.0, size 0.0, rect 0.0, \
    texts nil, object nil, text or array nil, property list nil .
    hooks, nil: bool false, int32 0, int64 0, integer 0, float 0.0, double 0.0, string nil, date \
    nil, data nil, uuid nil, url nil, decimal nil, bytes nil, point 0.0, size 0.0, rect 0.0, texts \
    [], object nil, text or array nil, property list nil .
    own types, NSNull: bool false, int32 0, int64 0, integer 0, float 0.0, double 0.0, point 0.0, \
    size 0.0, rect 0.0, object *, text or array !classNotAllowed, property list !classNotAllowed .
    hooks, NSNull: bool false, int32 0, int64 0, integer 0, float 0.0, double 0.0, string nil, \
    date nil, data nil, uuid nil, url nil, decimal nil, bytes nil, point 0.0, size 0.0, rect 0.0, \
    texts [], object nil, text or array !classNotAllowed, property list !classNotAllowed .
    true: bool true, int32 1, int64 1, integer 1, float 1.0, double 1.0, object *, text or array \
    !classNotAllowed, property list * .
    7: bool true, int32 7, int64 7, integer 7, float 7.0, double 7.0, decimal 7, object *, text or \
    array !classNotAllowed, property list * .
    2.0: bool true, int32 2, int64 2, integer 2, float 2.0, double 2.0, object *, text or array \
    !classNotAllowed, property list * .
    2.5: bool true, float 2.5, double 2.5, object *, text or array !classNotAllowed, property list \
    * .
    1e300: bool true, int32 !outOfRange, int64 !outOfRange, integer !outOfRange, float inf, double \
    1e+300, object *, text or array !classNotAllowed, property list * .
    1 << 40: bool true, int32 !outOfRange, int64 1099511627776, integer 1099511627776, float \
    1.0995116e+12, double 1099511627776.0, decimal 1099511627776, object *, text or array \
    !classNotAllowed, property list * .
    number 7: bool true, int32 7, int64 7, integer 7, float 7.0, double 7.0, decimal 7, object *, \
    text or array !classNotAllowed, property list * .
    number 1 << 40: bool true, int32 !outOfRange, int64 1099511627776, integer 1099511627776, \
    float 1.0995116e+12, double 1099511627776.0, decimal 1099511627776, object *, text or array \
    !classNotAllowed, property list * .
    own types, wide: bool true, int32 !outOfRange, int64 !outOfRange, integer !outOfRange, float \
    1.8446744e+19, double 1.8446744073709552e+19, object *, text or array !classNotAllowed, \
    property list * .
    hooks, wide: bool true, int32 !outOfRange, int64 !outOfRange, integer !outOfRange, float \
    1.8446744e+19, double 1.8446744073709552e+19, decimal 18446744073709551615, object *, text or \
    array !classNotAllowed, property list * .
    decimal 0.1: bool true, float 0.1, double 0.1, decimal 0.1, object *, text or array \
    !classNotAllowed, property list * .
    decimal 12: bool true, int32 12, int64 12, integer 12, float 12.0, double 12.0, decimal 12, \
    object *, text or array !classNotAllowed, property list * .
    text in place: string {1, 2}, point 1.0, size 1.0, object *, text or array *, property list * \
    .
    text: string x, object *, text or array *, property list * .
    point: string {1, 2}, point 1.0, size 1.0, object *, text or array *, property list * .
    rect: string {{1, 2}, {3, 4}}, rect 3.0, object *, text or array *, property list * .
    value: point 5.0, object *, text or array !classNotAllowed, property list !classNotAllowed .
    bytes: data 2, bytes 2, object *, text or array !classNotAllowed, property list * .
    data: data 2, bytes 2, object *, text or array !classNotAllowed, property list * .
    date: date 1.5, object *, text or array !classNotAllowed, property list * .
    uuid: uuid 3F2504E0-4F89-41D3-9A0C-0305E82C3301, object *, text or array !classNotAllowed, \
    property list !classNotAllowed .
    url: url https://example.org/a/b, object *, text or array !classNotAllowed, property list \
    !classNotAllowed .
    url with a space: url a:b%20c, object *, text or array !classNotAllowed, property list \
    !classNotAllowed .
    array: texts ["x", "y"], object *, text or array *, property list * .
    own types, array with nil: texts !nilElement, object *, text or array *, property list * .
    hooks, array with nil: texts ["y"], object *, text or array *, property list * .
    set: texts ["x"], object *, text or array !classNotAllowed, property list !classNotAllowed .
    mixed array: object *, text or array !classNotAllowed, property list * .
    dictionary: object *, text or array !classNotAllowed, property list * .
    own types, absent: bool false, int32 0, int64 0, integer 0, float 0.0, double 0.0, string nil, \
    date nil, data nil, uuid nil, url nil, decimal nil, bytes nil, point 0.0, size 0.0, rect 0.0, \
    texts nil, object nil, text or array nil, property list nil .
    hooks, absent: bool false, int32 0, int64 0, integer 0, float 0.0, double 0.0, string nil, \
    date nil, data nil, uuid nil, url nil, decimal nil, bytes nil, point 0.0, size 0.0, rect 0.0, \
    texts [], object nil, text or array nil, property list nil .
    codes: B true, c -128, C !outOfRange, s !outOfRange, S 65535, i 5, l !outOfRange, Q \
    18446744073709551615, q !outOfRange, f 0.10000000149011612, d 0.1, @ nil, I 2, x \
    !unsupportedTypeCode, i 1, B nil
    """
  /// The rows in which a strict coder answers otherwise.
  private static let strictTable = """
    own types, nil: string nil, date nil, data nil, uuid nil, url nil, decimal nil, point 0.0, \
    size 0.0, rect 0.0, texts nil, object nil, text or array nil, property list nil .
    hooks, nil: string nil, date nil, data nil, uuid nil, url nil, decimal nil, point 0.0, size \
    0.0, rect 0.0, texts [], object nil, text or array nil, property list nil .
    own types, NSNull: point 0.0, size 0.0, rect 0.0, object *, text or array !classNotAllowed, \
    property list !classNotAllowed .
    hooks, NSNull: string nil, date nil, data nil, uuid nil, url nil, decimal nil, point 0.0, size \
    0.0, rect 0.0, texts [], object nil, text or array !classNotAllowed, property list \
    !classNotAllowed .
    true: bool true .
    7: int32 7, int64 7, integer 7 .
    2.0: float 2.0, double 2.0 .
    2.5: float 2.5, double 2.5 .
    1e300: float !outOfRange, double 1e+300 .
    1 << 40: int32 !outOfRange, int64 1099511627776, integer 1099511627776 .
    number 7: decimal 7, object *, text or array !classNotAllowed, property list * .
    number 1 << 40: int32 !outOfRange, decimal 1099511627776, object *, text or array \
    !classNotAllowed, property list * .
    own types, wide: int32 !outOfRange, int64 !outOfRange, integer !outOfRange, object *, text or \
    array !classNotAllowed, property list * .
    hooks, wide: int32 !outOfRange, int64 !outOfRange, integer !outOfRange, decimal \
    18446744073709551615, object *, text or array !classNotAllowed, property list * .
    decimal 0.1: decimal 0.1, object *, text or array !classNotAllowed, property list * .
    decimal 12: decimal 12, object *, text or array !classNotAllowed, property list * .
    text in place:  .
    value: object *, text or array !classNotAllowed, property list !classNotAllowed .
    bytes: bytes 2 .
    data: data 2, object *, text or array !classNotAllowed, property list * .
    codes: B true, c -128, C !outOfRange, s !outOfRange, S 65535, i 5, l !outOfRange, Q \
    18446744073709551615, q !outOfRange, f 0.10000000149011612, d 0.1, @ nil, I !wrongKind, x \
    !unsupportedTypeCode, i 1, B nil
    """
}
