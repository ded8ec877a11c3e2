import DataModel
import GraphCore
import Testing

@testable import CoreDataStores

@Suite("Values of XML stores")
struct XMLStoreValueTests {
  /// A value in words; nil if it is not one of the type.
  private func words(_ written: String, _ type: AttributeType) -> String? {
    var reader = XMLStoreSource.Reader.Value()
    let bytes = AtomicBytes()
    defer { withExtendedLifetime(bytes) {} }
    do throws(ArchiveError) {
      let value = try reader.value(Array(written.utf8), as: type, in: bytes)
      switch value {
      case .bool(let value): return "\(value)"
      case .integer(let value): return "\(value)"
      case .real(let value), .date(let value): return "\(value)"
      case .decimal(let decimal): return decimal.text
      case .text(let text), .url(let text): return text.string
      case .data(let bytes): return "\(Array(bytes.buffer))"
      case .uuid(let bytes): return UUIDText.text(bytes)
      default: return "\(value)"
      }
    } catch {
      #expect(error.code == .wrongKind || error.code == .outOfRange)
      return nil
    }
  }

  @Test(
    "are read as the model says",
    arguments: [
      (.boolean, "1", "true"), (.boolean, "0", "false"), (.boolean, " YES\n", "true"),
      (.boolean, "false", "false"), (.boolean, "2", nil), (.boolean, "", nil),
      (.integer16, "-32768", "-32768"), (.integer32, "16777216", "16777216"),
      (.integer16, "32768", nil), (.integer32, "-2147483649", nil), (.float, "1e39", nil),
      (.float, "-inf", "-inf"),
      (.integer, "9223372036854775807", "9223372036854775807"), (.integer, "true", "1"),
      (.integer, "3.000", "3"), (.integer, "+4", "4"), (.integer, "3.5", nil),
      (.integer, "9223372036854775808", nil), (.integer, "0x10", nil), (.integer, "", nil),
      (.float, "0.5", "0.5"), (.double, "1e300", "1e+300"), (.double, "-0", "-0.0"),
      (.double, "nan", "nan"), (.double, "-INF", "-inf"), (.double, "0x1p3", nil),
      (.double, "1,5", nil), (.double, "1e400", "inf"),
      (.date, "259257111.02038100361824035645", "259257111.020381"), (.date, "2009-03-20", nil),
      (
        .decimal, "12345678901234567890123456789012345678", "12345678901234567890123456789012345678"
      ),
      (.decimal, "-0.10", "-0.1"), (.decimal, "1E2", "100"), (.decimal, "NaN", "NaN"),
      (.decimal, "1e127", "1" + String(repeating: "0", count: 127)), (.decimal, "1e200", nil),
      (.decimal, "1234567890123456789012345678901234567891", nil), (.decimal, "1e-129", nil),
      (.decimal, "a", nil),
      (.string, "", ""), (.string, " a ", " a "), (.undefined, "x", "x"),
      (.binary, "AAEC\n Aw==\t", "[0, 1, 2, 3]"), (.binary, "", "[]"), (.binary, "A", nil),
      (.binary, "AAEC*", nil), (.transformable, "YnBsaXN0", "[98, 112, 108, 105, 115, 116]"),
      (
        .uuid, "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
      ),
      (.uuid, "a6e4EJ2tEdGAtADAT9QwyA==", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"),
      (.uuid, "6ba7b810", nil), (.uri, #"http://a/?b\u2600c"#, "http://a/?b&c"),
      (.composite, "a", nil),
    ] as [(AttributeType, String, String?)])
  func values(type: AttributeType, written: String, expected: String?) {
    #expect(words(written, type) == expected)
  }

  @Test("that are as long as a hostile file can make them are refused at once")
  func longNumbers() {
    let digits = String(repeating: "9", count: 1 << 20)
    for type in [AttributeType.integer, .decimal, .double, .boolean, .uuid] {
      #expect(words(digits, type) == nil)
    }
  }
}
