import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Values that were encoded without keys")
struct UnkeyedCoderTests {
  @Test("come one after the other, counted for each object by itself")
  func order() throws {
    /// Decodes two values, and one in between that decodes as many.
    final class Pair: KeyedDecodable {
      static let archivedClassNames = ["Pair"]
      let text: String

      init(coder: KeyedCoder) throws {
        let first = try coder.decodeObject()?.text ?? "nil"
        var inner = "nil"
        if case .object(let pair as Pair)? = try coder.decodeObject() { inner = pair.text }
        let last = try coder.decodeObject()?.text ?? "nil"
        text = "(\(first) \(inner) \(last))"
      }
    }
    let unarchiver = try KeyedUnarchiver.of([Pair.self]) { archive in
      let inner = archive.instance(of: "Pair", [], unkeyed: [1, .none, archive.string("b")])
      return archive.instance(
        of: "Pair", [KeyValue("key", 9)], unkeyed: [archive.string("a"), inner, 2])
    }
    #expect(try unarchiver.decodeRoot(of: Pair.self)?.text == "('a' (1 nil 'b') 2)")
  }

  static let scalars: [(code: String, value: PropertyListValue, lenient: String, strict: String)] =
    [
      ("c", -128, "-128", "-128"), ("c", 128, "!outOfRange", "!outOfRange"),
      ("C", 255, "255", "255"), ("C", -1, "!outOfRange", "!outOfRange"),
      ("s", -32768, "-32768", "-32768"), ("S", 65536, "!outOfRange", "!outOfRange"),
      ("i", 2_147_483_647, "2147483647", "2147483647"),
      ("i", 2_147_483_648, "!outOfRange", "!outOfRange"),
      ("I", 4_294_967_295, "4294967295", "4294967295"), ("l", 7, "7", "7"), ("L", 7, "7", "7"),
      ("q", .integer(.min), "-9223372036854775808", "-9223372036854775808"),
      ("Q", .unsigned(.max), "wide 18446744073709551615", "wide 18446744073709551615"),
      ("q", .unsigned(.max), "!outOfRange", "!outOfRange"),
      ("i", 2.0, "2 ~convertedNumber", "!wrongKind"), ("i", 2.5, "!wrongKind", "!wrongKind"),
      ("i", "text", "!wrongKind", "!wrongKind"), ("f", 0.5, "real 0.5", "real 0.5"),
      ("f", 1e300, "real inf ~lostPrecision", "!outOfRange"), ("d", 0.1, "real 0.1", "real 0.1"),
      ("d", 1, "real 1.0 ~convertedNumber", "!wrongKind"), ("B", true, "true", "true"),
      ("B", 1, "true ~convertedNumber", "!wrongKind"),
      ("@", "text", "'text' ~inlineObject", "!wrongKind"), ("@", .none, "nil", "nil"),
      ("{CGPoint=dd}", 1, "!unsupportedTypeCode", "!unsupportedTypeCode"),
      ("[3i]", 1, "!unsupportedTypeCode", "!unsupportedTypeCode"),
      ("", 1, "!unsupportedTypeCode", "!unsupportedTypeCode"),
    ]

  @Test("are decoded by their type codes", arguments: scalars)
  func typeCode(
    row: (code: String, value: PropertyListValue, lenient: String, strict: String)
  ) throws {
    for (isStrict, expected) in [(false, row.lenient), (true, row.strict)] {
      var options = UnarchivingOptions()
      options.decoding.isStrict = isStrict
      let probe = try Probe.with(options, unkeyed: [row.value])
      #expect(probe.outcome { try $0.decodeValue(ofObjCType: row.code) } == expected)
    }
  }

  @Test("are those of a typedstream in the order of its groups, lists after their number")
  func typedstream() throws {
    /// Decodes a list as it was written.
    final class List: KeyedDecodable {
      static let archivedClassNames = ["List"]
      let text: String

      init(coder: KeyedCoder) throws {
        var parts = ["\(coder.allowsKeyedCoding)", "\(coder.version(forClassName: "List"))"]
        let count = try coder.decodeValue(ofObjCType: "I")?.text ?? "nil"
        for _ in 0..<(Int(count) ?? 0) {
          parts += try coder.decodeValues(ofObjCTypes: "i@").map { $0?.text ?? "nil" }
        }
        parts.append(try coder.decodeValue(ofObjCType: "d")?.text ?? "nil")
        text = (parts + ["\(coder.isAtEnd)"]).joined(separator: " ")
      }
    }
    for names in [["a", "b", "c"], []] {
      let stream = TypedstreamWriter.stream { writer in
        for names in [names, ["x"]] {
          writer.group("@") { writer in
            writer.object("List#3") { writer in
              writer.group("I", names.count)
              for (number, name) in names.enumerated() {
                writer.group("i@") { writer in
                  writer.integer(number)
                  writer.string(name)
                }
              }
              writer.group("d") { $0.double(0.5) }
            }
          }
        }
      }
      let unarchiver = try KeyedUnarchiver(
        bytes: stream, options: UnarchivingOptions(types: [List.self]))
      let list = try unarchiver.decodeTopLevelObject(of: List.self, forKey: "1")
      let pairs = names.enumerated().map { "\($0) '\($1)' " }.joined()
      #expect(list?.text == "false 3 \(pairs)real 0.5 true")
    }
  }

  @Test("may begin with a structure in each element of a list")
  func structures() throws {
    /// Decodes places with numbers, and a structure that is an element by itself.
    final class Path: KeyedDecodable {
      static let archivedClassNames = ["Path"]
      let text: String

      init(coder: KeyedCoder) throws {
        var parts: [String] = []
        for types in ["{_NSPoint=ff}i", "{?=dd}"] {
          let count = try coder.decodeValue(ofObjCType: "i")?.text ?? ""
          for _ in 0..<(Int(count) ?? 0) {
            parts += try coder.decodeValues(ofObjCTypes: types).map { $0?.text ?? "nil" }
          }
        }
        text = parts.joined(separator: " ")
      }
    }
    let stream = TypedstreamWriter.stream { writer in
      for count in 1...2 {
        writer.group("@") { writer in
          writer.object("Path#0") { writer in
            writer.group("i", count)
            for number in 0..<count {
              writer.group("{_NSPoint=ff}i") { $0.integers(1, 2, number) }
            }
            writer.group("i", count)
            for number in 0..<count { writer.group("{?=dd}") { $0.integers(3, number) } }
          }
        }
      }
    }
    let unarchiver = try KeyedUnarchiver(
      bytes: stream, options: UnarchivingOptions(types: [Path.self]))
    let path = try unarchiver.decodeTopLevelObject(of: Path.self, forKey: "2")
    #expect(
      path?.text == "'{1.0, 2.0}' 0 '{1.0, 2.0}' 1 [real 3.0, real 0.0] [real 3.0, real 1.0]")
  }

  @Test("give nothing behind the last one, as an absent key does")
  func end() throws {
    let coder = try Probe.with(unkeyed: [1]).coder
    #expect(try coder.decodeValue(ofObjCType: "i")?.text == "1")
    for code in ["i", "@", "d"] { #expect(try coder.decodeValue(ofObjCType: code) == nil) }
  }
}
