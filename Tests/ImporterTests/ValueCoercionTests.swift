import Foundation
import Importer
import Testing

@Suite("What an attribute's type makes of values")
struct ValueCoercionTests {
  private static let uuid = UUID()

  @Test(
    "Numbers become numbers of another type that hold them",
    arguments: [
      (.integer(5), .double, .real(5)), (.bool(true), .double, .real(1)),
      (decimal("0.1"), .double, .real(0.1)), (.integer(5), .float, .real(5)),
      (.real(0.5), .float, .real(0.5)), (.real(.infinity), .float, .real(.infinity)),
      (.bool(true), .integer, .integer(1)), (.real(5), .integer16, .integer(5)),
      (decimal("5"), .integer32, .integer(5)), (.integer(32767), .integer16, .integer(32767)),
      (.integer(-32768), .integer16, .integer(-32768)),
      (.integer(2_147_483_647), .integer32, .integer(2_147_483_647)),
      (.integer(.min), .integer, .integer(.min)), (.integer(1), .boolean, .bool(true)),
      (.real(0), .boolean, .bool(false)), (decimal("1"), .boolean, .bool(true)),
      (.real(2.675), .decimal, decimal("2.675")), (.integer(5), .decimal, decimal("5")),
      (.bool(true), .decimal, decimal("1")), (.real(12.5), .string, .text("12.5")),
      (.integer(12), .string, .text("12")), (decimal("12.30"), .string, .text("12.3")),
    ] as [(ImportValue, AttributeType, ImportValue)])
  func numbers(value: ImportValue, type: AttributeType, result: ImportValue) {
    #expect(ValueCoercion.coerce(value, to: type) == .value(result))
  }

  @Test(
    "What cannot be got back is told",
    arguments: [
      (
        .integer(9_007_199_254_740_993), .double, .real(9_007_199_254_740_992),
        "rounded to the nearest double"
      ),
      (decimal("0.1000000000000000055"), .double, .real(0.1), "rounded to the nearest double"),
      (.real(0.1), .float, .real(Double(Float(0.1))), "rounded to single precision"),
      (.integer(16_777_217), .float, .real(16_777_216), "rounded to single precision"),
      (.real(-0.0), .integer, .integer(0), "sign of -0.0 dropped"),
      (.real(-0.0), .decimal, decimal("0"), "sign of -0.0 dropped"),
      (.real(-0.0), .boolean, .bool(false), "sign of -0.0 dropped"),
    ] as [(ImportValue, AttributeType, ImportValue, String)])
  func losses(value: ImportValue, type: AttributeType, result: ImportValue, reason: String) {
    #expect(ValueCoercion.coerce(value, to: type) == .lossy(result, reason: reason))
  }

  @Test(
    "A value that does not fit is refused",
    arguments: [
      (.integer(32768), .integer16), (.integer(-32769), .integer16),
      (.integer(2_147_483_648), .integer32), (.real(1e19), .integer), (.real(0.5), .integer),
      (.real(.nan), .integer), (decimal("0.5"), .integer), (.integer(2), .boolean),
      (.real(0.5), .boolean), (.real(.nan), .boolean),
      (.real(.infinity), .decimal), (.real(1e300), .decimal), (.real(1e300), .float),
      (.real(.nan), .string), (.bool(true), .string), (.date(.now), .string),
      (.uuid(UUID()), .string), (.url("a"), .string), (.text("5"), .integer),
      (.text("5"), .decimal), (.text("5"), .double), (.text("YES"), .boolean),
      (.text("2011-05-22T21:52:00Z"), .date), (.real(5), .date), (.text("a"), .binary),
      (.uuid(UUID()), .binary), (.text("a"), .uuid), (.data(Data([1])), .uuid),
      (.text("a b"), .uri),
      (.integer(1), .objectID), (.integer(1), .composite), (.list([]), .string),
    ] as [(ImportValue, AttributeType)])
  func refused(value: ImportValue, type: AttributeType) {
    #expect(ValueCoercion.coerce(value, to: type) == .refused)
  }

  @Test("Each type takes its own values, and nothing")
  func own() {
    let values: [(ImportValue, AttributeType)] = [
      (.bool(true), .boolean), (.integer(1), .integer), (.real(0.1), .double),
      (decimal("0.1"), .decimal), (.decimal(.nan), .decimal),
      (.text("a"), .string),
      (.date(.distantPast), .date), (.data(Data([1])), .binary), (.uuid(Self.uuid), .uuid),
      (.url("no url"), .uri),
    ]
    for (value, type) in values {
      #expect(ValueCoercion.coerce(value, to: type) == .value(value))
      for open in [AttributeType.transformable, .mixed, .undefined, .unknown] {
        #expect(ValueCoercion.coerce(value, to: open) == .value(value))
      }
    }
    for type in AttributeType.allCases {
      #expect(ValueCoercion.coerce(.null, to: type) == .value(.null))
    }
  }

  @Test("What is no number is no decimal number either, and stays")
  func notANumber() {
    guard case .value(.real(let number)) = ValueCoercion.coerce(.real(.nan), to: .decimal) else {
      Issue.record("it is refused")
      return
    }
    #expect(number.isNaN)
  }

  @Test("Texts become UUIDs and URLs where they are well formed")
  func identifiers() {
    let text = Self.uuid.uuidString
    #expect(ValueCoercion.coerce(.text(text), to: .uuid) == .value(.uuid(Self.uuid)))
    #expect(
      ValueCoercion.coerce(.text("{\(text)}"), to: .uuid)
        == .lossy(.uuid(Self.uuid), reason: "loose text"))
    #expect(ValueCoercion.coerce(.text("https://a.b/"), to: .uri) == .value(.url("https://a.b/")))
    let bytes = withUnsafeBytes(of: Self.uuid.uuid) { Data($0) }
    #expect(ValueCoercion.coerce(.data(bytes), to: .uuid) == .value(.uuid(Self.uuid)))
  }

  @Test("Collections become JSON where the type is open")
  func collections() {
    let list = ImportValue.list([.integer(1), .text("a")])
    #expect(ValueCoercion.coerce(list, to: .transformable) == .value(.text(#"[1,"a"]"#)))
    let pairs = ImportValue.dictionary([.init(.text("a"), .integer(1))])
    #expect(ValueCoercion.coerce(pairs, to: .mixed) == .value(.text(#"{"a":1}"#)))
    #expect(ValueCoercion.coerce(pairs, to: .composite) == .value(.text(#"{"a":1}"#)))
    #expect(ValueCoercion.coerce(list, to: .composite) == .refused)
  }

  @Test(
    "JSON is text that is JSON, or is made of collections",
    arguments: [
      (.text("{}"), "{}"), (.text(#" [1, "a", null] "#), #" [1, "a", null] "#),
      (.text("12.50"), "12.50"), (.text(#""a""#), #""a""#), (.text("true"), "true"),
      (
        .text(#"{"a" : {}, "b":[ ] , "c":[[{"d":"\u00e4\n"}],-0.5e+10]}"#),
        #"{"a" : {}, "b":[ ] , "c":[[{"d":"\u00e4\n"}],-0.5e+10]}"#
      ),
      (.list([.integer(1), .text("a")]), #"[1,"a"]"#), (.set([]), "[]"),
      (.dictionary([.init(.text("a"), .null)]), #"{"a":null}"#),
      (.text(""), nil), (.text("a"), nil), (.text("{"), nil), (.text("[1,]"), nil),
      (.text("{} {}"), nil), (.text("[1}"), nil), (.text("]"), nil), (.text(#"{"a"}"#), nil),
      (.text(#"{"a":1,}"#), nil), (.text("[,1]"), nil), (.text("01"), nil), (.text("1."), nil),
      (.text("-"), nil), (.text("1e"), nil), (.text("tru"), nil), (.text(#""\x""#), nil),
      (.text(#""\u12g4""#), nil), (.text("\"\n\""), nil), (.text(#""a"#), nil), (.text("NaN"), nil),
      (.text("{a: 1}"), nil),
      (.text("[\u{0}1]"), nil), (.text("1\u{0}"), nil), (.text("\u{FEFF}{}"), nil),
      (.text(String(repeating: "[", count: 100_000)), nil), (.integer(1), nil), (.bool(true), nil),
      (.date(.distantPast), nil), (.data(Data("{}".utf8)), nil),
    ] as [(ImportValue, String?)])
  func json(value: ImportValue, text: String?) {
    #expect(
      ValueCoercion.coerce(value, to: .json) == (text.map { .value(.text($0)) } ?? .refused))
  }

  @Test("Types have one that they have in common, in whichever order they are met")
  func commonTypes() {
    let cases: [([AttributeType], AttributeType)] = [
      ([.string, .attributedText], .attributedText), ([.json, .attributedText], .mixed),
      ([.json, .string], .mixed), ([.json, .string, .attributedText], .mixed),
      ([.json, .unknown], .json), ([.boolean, .integer], .integer),
    ]
    for (types, common) in cases {
      for order in [types, types.reversed(), Array(types.dropFirst() + types.prefix(1))] {
        #expect(order.dropFirst().reduce(order[0]) { $0.common(with: $1) } == common, "\(order)")
      }
    }
  }

  @Test(
    "Whole attributes are refused where no value would get through",
    arguments: [
      (.string, .decimal, false), (.string, .date, false), (.string, .uuid, true),
      (.string, .json, true),
      (.integer, .decimal, true), (.double, .boolean, true), (.double, .string, true),
      (.boolean, .string, false), (.date, .string, false), (.date, .double, false),
      (.binary, .uuid, true), (.binary, .string, false), (.mixed, .decimal, true),
      (.unknown, .binary, true), (.date, .mixed, true), (.uuid, .uuid, true),
      (.json, .string, false), (.attributedText, .string, true), (.string, .attributedText, true),
      (.attributedText, .json, true), (.json, .attributedText, false), (.json, .mixed, true),
      (.uri, .string, false), (.objectID, .mixed, false), (.string, .objectID, false),
    ] as [(AttributeType, AttributeType, Bool)])
  func attributes(source: AttributeType, type: AttributeType, isPossible: Bool) {
    #expect(ValueCoercion.canCoerce(kindsFrom: source, to: type) == isPossible)
  }

  @Test("What is refused for whole attributes is refused for each value, and the reverse")
  func agreement() {
    let samples: [(AttributeType, [ImportValue])] = [
      (.boolean, [.bool(true), .bool(false)]), (.integer, [.integer(0), .integer(70_000)]),
      (.double, [.real(1), .real(0.5)]), (.decimal, [decimal("1"), decimal("0.5")]),
      (.string, [.text("a"), .text("{}"), .text(Self.uuid.uuidString)]), (.date, [.date(.now)]),
      (.binary, [.data(Data()), .data(Data(count: 16))]), (.uuid, [.uuid(Self.uuid)]),
      (.uri, [.url("a")]),
    ]
    for (source, values) in samples {
      for type in AttributeType.allCases where type != .composite {
        let passes = values.contains { ValueCoercion.coerce($0, to: type) != .refused }
        #expect(
          ValueCoercion.canCoerce(kindsFrom: source, to: type) == passes, "\(source) to \(type)")
      }
    }
  }
}

private func decimal(_ text: String) -> ImportValue {
  .decimal(Decimal(string: text) ?? .nan)
}
