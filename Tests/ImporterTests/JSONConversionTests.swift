import Foundation
import Importer
import Testing

@Suite("Values as JSON")
struct JSONConversionTests {
  private static func json(_ value: ImportValue) throws -> String? {
    let converted = try ValueConversion([.json]).convert(value)
    guard case .text(let text) = converted.value else { return nil }
    return text
  }

  @Test("Plain values are JSON's own where it has them, and texts otherwise")
  func plain() throws {
    let uuid = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    let digits = try #require(Decimal(string: "12345678901234567890123456789012345.678"))
    let cases: [(ImportValue, String)] = [
      (.bool(true), "true"), (.bool(false), "false"), (.integer(-5), "-5"), (.real(1), "1.0"),
      (.real(-0.0), "-0.0"), (.real(1e21), "1e+21"), (.real(.nan), #""NaN""#),
      (.real(.infinity), #""Infinity""#), (.real(-.infinity), #""-Infinity""#),
      (.decimal(digits), "12345678901234567890123456789012345.678"),
      (.decimal(.nan), #""NaN""#), (.text("a/b"), #""a/b""#),
      (.date(Date(timeIntervalSinceReferenceDate: 0.25)), #""2001-01-01T00:00:00.250Z""#),
      (.data(Data([1, 2])), #"{"base64":"AQI="}"#), (.uuid(uuid), "\"\(uuid.uuidString)\""),
      (.url("https://example.com/"), #""https://example.com/""#),
    ]
    for (value, text) in cases { #expect(try Self.json(value) == text) }
    #expect(try Self.json(.null) == nil)
  }

  @Test("Quotes, backslashes and control characters are escaped, and nothing else")
  func escapes() throws {
    #expect(
      try Self.json(.text("\"\\/\u{8}\u{c}\n\r\t\0\u{1f}\u{7f}é\u{2028}\r\n😀"))
        == "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7f}é\u{2028}\\r\\n😀\"")
  }

  @Test("Collections keep the order of the archive")
  func collections() throws {
    #expect(try Self.json(.list([])) == "[]")
    #expect(try Self.json(.list([.null, .integer(1), .list([.text("a")])])) == #"[null,1,["a"]]"#)
    #expect(try Self.json(.set([.text("taxi"), .text("food")])) == #"["taxi","food"]"#)
    #expect(try Self.json(.dictionary([])) == "{}")
    #expect(
      try Self.json(
        .dictionary([
          .init(.text("b"), .integer(1)),
          .init(.text("a\n"), .dictionary([.init(.text(""), .null)])),
        ])) == #"{"b":1,"a\n":{"":null}}"#)
    #expect(
      try Self.json(.dictionary([.init(.integer(1), .text("x")), .init(.text("a"), .null)]))
        == #"[{"key":1,"value":"x"},{"key":"a","value":null}]"#)
    #expect(
      try Self.json(.dictionary([.init(.text("a"), .null), .init(.text("a"), .null)]))
        == #"[{"key":"a","value":null},{"key":"a","value":null}]"#)
  }

  @Test("The text is read by other programs")
  func otherReader() throws {
    let value = ImportValue.dictionary([
      .init(.text("text"), .text("\u{1}\"é")), .init(.text("numbers"), .list([.real(1e-7)])),
    ])
    let text = try #require(try Self.json(value))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(object?["text"] as? String == "\u{1}\"é")
    #expect(object?["numbers"] as? [Double] == [1e-7])
  }

  @Test("Collections may be nested, but not without end")
  func depth() throws {
    func nested(_ levels: Int) -> ImportValue {
      (0..<levels).reduce(.list([])) { value, level in
        level % 2 == 0 ? .list([value]) : .dictionary([.init(.text("a"), value)])
      }
    }
    #expect(throws: Never.self) { try Self.json(nested(250)) }
    #expect(throws: ConversionFailure(.tooDeep, name: "256", kind: "array")) {
      try Self.json(nested(2_000))
    }
  }
}
