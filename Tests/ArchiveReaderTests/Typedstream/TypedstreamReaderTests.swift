import ArchiveReader
import TestSupport
import Testing

@Suite("Values in typedstreams")
struct TypedstreamReaderTests {
  private static let integers = [
    0, -1, 127, 128, -110, -111, 32_767, 32_768, -32_768, -32_769, 2_147_483_647, 2_147_483_648,
    -2_147_483_648, -9_000_000_000, .max, .min,
  ]

  @Test("are read in both byte orders", arguments: [false, true])
  func byteOrders(isBigEndian: Bool) throws {
    var writer = TypedstreamWriter(isBigEndian: isBigEndian, system: 930)
    for number in Self.integers { writer.group("q", number) }
    writer.group("f") { $0.float(1.5) }
    writer.group("d") { $0.double(1e300) }
    writer.group("@") { $0.string("hi") }
    let content = try TypedstreamContent(writer.bytes)
    #expect(
      content.roots.map { $0.split(separator: " ", maxSplits: 1)[1] }
        == Self.integers.map { "\($0)" } + ["real 1.5", "real 1e+300", "'hi'"])
  }

  @Test(
    "are of their type",
    arguments: [
      TypedstreamCase(
        "numbers without a sign, whose bits are written as those of numbers with one",
        "1: 65535", "2: 40000", "3: 4294967295", "4: 3000000000", "5: wide 18446744073709551613",
        "6: 9223372036854775807", "7: 65535"
      ) { writer in
        writer.group("S", -1)
        writer.group("S", 40_000)
        writer.group("I", -1)
        writer.group("L", 3_000_000_000)
        writer.group("Q", -3)
        writer.group("Q", .max)
        writer.group("S") { $0.raw(0x81, 0xFF, 0xFF) }
      },
      TypedstreamCase(
        "characters, which are bytes and no marks", "1: -123", "2: -128", "3: 133", "4: true",
        "5: false"
      ) { writer in
        writer.group("c") { $0.raw(0x85) }
        writer.group("c", -128)
        writer.group("C", 0x85)
        writer.group("B", 1)
        writer.group("B", 0)
      },
      TypedstreamCase(
        "reals that are whole, and are not", "1: real 2.0", "2: real -70000.0", "3: real -0.0",
        "4: real 0.10000000149011612"
      ) { writer in
        writer.group("f", 2)
        writer.group("d", -70_000)
        writer.group("d") { $0.double(-0.0) }
        writer.group("f") { $0.float(0.1) }
      },
      TypedstreamCase(
        "structures and arrays", "1: '{1.0, 0.5}'",
        "2: '{{1.0, 2.0}, {3.0, 4.0}}'", "3: array(array(1, 2), array(3, 4))",
        "4: array(1, 2, 300)", "5: <848586>", "6: array()", "7: <>",
        "8: array(array(real 1.0), array(real 2.0))", "9_1: array()", "9_2: 5", "10: array(1, 2)"
      ) { writer in
        writer.group("{CGPoint=dd}") { writer in
          writer.integer(1)
          writer.double(0.5)
        }
        writer.group("{_NSRect={_NSPoint=ff}{_NSSize=ff}}") { $0.integers(1, 2, 3, 4) }
        writer.group("[2{?=ii}]") { $0.integers(1, 2, 3, 4) }
        writer.group("[3s]") { $0.integers(1, 2, 300) }
        writer.group("[3c]") { $0.raw(0x84, 0x85, 0x86) }
        writer.group("[0@]")
        writer.group("[0C]")
        writer.group("[2[1d]]") { $0.integers(1, 2) }
        writer.group("{x=!}i") { $0.integer(5) }
        writer.group("{_NSRange=II}") { $0.integers(1, 2) }
      },
      TypedstreamCase(
        "texts of four kinds, and classes", "1: 'text'", "2: 'text'", "3: nil", "4: 'text'",
        "5: 'run:'", "6: nil", "7: 'é'", "8: nil", "9: class Note", "10: nil", "11: <ff>",
        "12: class Note"
      ) { writer in
        writer.group("*") { $0.cString("text") }
        writer.group("*") { $0.cString("text") }
        writer.group("*") { $0.null() }
        writer.group("%") { $0.shared("text") }
        writer.group(":") { $0.shared("run:") }
        writer.group(":") { $0.null() }
        writer.group("+") { $0.text(Array("é".utf8)) }
        writer.group("+") { $0.null() }
        writer.group("#") { $0.class(["Note#3"]) }
        writer.group("#") { $0.null() }
        writer.group("+") { $0.text([0xFF]) }
        writer.group("@") { $0.class(["Note#3"]) }
      },
      TypedstreamCase("members that are not encoded", "1_1: 7") { $0.group("i!", 7) },
    ])
  func types(of one: TypedstreamCase) throws {
    #expect(try TypedstreamContent(.stream(one.write)).roots == one.expected)
  }

  @Test(
    "of any length are whole, with a character of several bytes at the seam",
    arguments: [0, 1, 127, 128, 129, 255, 256, 257, 32_767, 32_768, 65_535, 65_536, 65_537])
  func lengths(count: Int) throws {
    for (character, isBigEndian) in [("é", false), ("👍", true)] {
      let fill = max(0, count - character.utf8.count)
      for text in [
        String(repeating: "a", count: fill) + (count > 3 ? character : ""),
        String(repeating: "a", count: max(0, fill - 1)) + (count > 3 ? character + "b" : ""),
      ] {
        var writer = TypedstreamWriter(isBigEndian: isBigEndian)
        writer.group("@") { $0.string(text) }
        writer.group("+") { $0.text(Array(text.utf8)) }
        let content = try TypedstreamContent(writer.bytes)
        #expect(content.roots == ["1: '\(text)'", "2: '\(text)'"])
      }
    }
  }

  @Test("are found by references of every size")
  func references() throws {
    let content = try TypedstreamContent(
      .stream { writer in
        for number in 0..<300 { writer.group("@") { $0.string("\(number)") } }
        // Strings have the numbers 0, 3, 4 and so on: two classes follow the first.
        for number in [0, 3, 237, 238, 301] { writer.group("@") { $0.reference(number) } }
        for number in 0..<300 {
          writer.group("[\(number + 1)i]") { writer in
            (0...number).forEach { _ in writer.integer(0) }
          }
        }
        for number in [0, 299] {
          writer.group("[\(number + 1)i]") { writer in
            (0...number).forEach { _ in writer.integer(1) }
          }
        }
      })
    #expect(
      content.roots[300..<305].map { $0.split(separator: " ")[1] }
        == ["'0'", "'1'", "'235'", "'236'", "'299'"])
    #expect(content.roots.count == 607)
    #expect(content.roots[605] == "606: array(1)")
  }

  @Test("of cycles and long chains take no stack")
  func chains() throws {
    let count = 20_000
    let content = try TypedstreamContent(
      .stream { writer in
        writer.shared("@")
        for _ in 0..<count {
          writer.begin(["Link#0"])
          writer.shared("@")
        }
        writer.reference(0)
        writer.raw(Array(repeating: 0x86, count: count))
      })
    #expect(content.objects.count == count)
    #expect(content.objects.first == "Link(v1: Link#2)")
    #expect(content.objects.last == "Link(v1: Link#1)")
  }

  @Test("of the older version are read alike")
  func olderVersion() throws {
    var writer = TypedstreamWriter(version: 3, isBigEndian: true, system: 82)
    writer.group("@") { $0.string("hi") }
    let content = try TypedstreamContent(writer.bytes)
    #expect(content.roots == ["root: 'hi'"])
    #expect(content.archive.version == 3)
  }

  @Test("stand in an archive of one format, archiver and version")
  func frame() throws {
    let archive = try TypedstreamContent(.stream { $0.group("@") { $0.string("hi") } }).archive
    #expect((archive.format, archive.archiver, archive.version) == (.typedstream, "NSArchiver", 4))
    #expect((archive.byteCount, archive.objectCount) == (52, 2))
    #expect(try TypedstreamContent(.stream { _ in }).roots == [])
  }

  @Test("are in the encoding of NeXTSTEP where they are no UTF-8, which is told")
  func oldTexts() throws {
    let content = try TypedstreamContent(
      .stream { writer in
        writer.group("@") { writer in
          writer.object("NSString#1") { $0.group("+") { $0.text([0x63, 0x61, 0x66, 0xDD]) } }
        }
      })
    #expect(content.roots == ["root: 'café'"])
    #expect(content.archive.losses.map(\.code) == [.textNotUTF8])
    #expect(content.archive.losses.map(\.position) == [.byte(49)])
  }
}
