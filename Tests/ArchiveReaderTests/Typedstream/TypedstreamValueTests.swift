import ArchiveReader
import ArchiveWriter
import TestSupport
import Testing

@Suite("Objects of Foundation's classes in typedstreams")
struct TypedstreamValueTests {
  @Test(
    "are values, as in keyed archives",
    arguments: [
      TypedstreamCase("a text", "'é'") { $0.string("é") },
      TypedstreamCase("the text that stands for nil in keyed archives", "'$null'") {
        $0.string("$null")
      },
      TypedstreamCase("a mutable text", "'a'") {
        $0.string("a", "NSMutableString#1", "NSString#1")
      },
      TypedstreamCase("an empty text", "''") { $0.string("") },
      TypedstreamCase("a number", "-5") { $0.nsNumber(-5) },
      TypedstreamCase("a large number", "wide 18446744073709551615") {
        $0.nsNumber("Q") { $0.integer(-1) }
      },
      TypedstreamCase("a real number", "real 0.5") { $0.nsNumber("d") { $0.double(0.5) } },
      TypedstreamCase("a truth", "true") { $0.nsNumber("c") { $0.raw(1) } },
      TypedstreamCase("a number of a byte", "-2") { $0.nsNumber("c") { $0.raw(0xFE) } },
      TypedstreamCase("truths beside a number of a byte", "array(1, 5)") {
        $0.collection(
          "NSArray", 2,
          of: [{ $0.nsNumber("c") { $0.raw(1) } }, { $0.nsNumber("c") { $0.raw(5) } }])
      },
      TypedstreamCase("a date", "date -0.5") { writer in
        writer.object("NSDate#0") { $0.group("d") { $0.double(-0.5) } }
      },
      TypedstreamCase("data", "<0001ff>") { $0.data([0, 1, 0xFF]) },
      TypedstreamCase("no data", "<>") { $0.data([]) },
      TypedstreamCase("NSNull", "NSNull") { $0.object("NSNull#0") },
      TypedstreamCase("an array", "array('a', nil, 1)") {
        $0.collection(
          "NSMutableArray", 3, of: [{ $0.string("a") }, { $0.null() }, { $0.nsNumber(1) }])
      },
      TypedstreamCase("a set", "set('a')") { $0.collection("NSSet", 1, of: [{ $0.string("a") }]) },
      TypedstreamCase("a dictionary", "dictionary('a': 1, 'b': array())") {
        $0.collection(
          "NSDictionary", 2,
          of: [
            { $0.string("a") }, { $0.nsNumber(1) }, { $0.string("b") },
            { $0.collection("NSArray", 0, of: []) },
          ])
      },
      TypedstreamCase("a URL", "url https://example.org/") { writer in
        writer.object("NSURL#0") { writer in
          writer.group("c", 0)
          writer.group("@") { $0.string("https://example.org/") }
        }
      },
      TypedstreamCase("a URL on another", "url https://example.org/a") { writer in
        writer.object("NSURL#0") { writer in
          writer.group("c", 1)
          writer.group("@") { writer in
            writer.object("NSURL#0") { writer in
              writer.group("c", 0)
              writer.group("@") { $0.string("https://example.org/") }
            }
          }
          writer.group("@") { $0.string("a") }
        }
      },
      TypedstreamCase("a point", #"{"class":"NSValue","point":{"x":1,"y":0.5}}"#) {
        Self.value("{CGPoint=dd}", &$0) { writer in
          writer.integer(1)
          writer.double(0.5)
        }
      },
      TypedstreamCase("a size", #"{"class":"NSValue","size":{"height":2,"width":1}}"#) {
        Self.value("{_NSSize=ff}", &$0) { $0.integers(1, 2) }
      },
      TypedstreamCase(
        "a rectangle", #"{"class":"NSValue","rect":{"height":4,"width":3,"x":1,"y":2}}"#
      ) {
        Self.value("{CGRect={CGPoint=dd}{CGSize=dd}}", &$0) { $0.integers(1, 2, 3, 4) }
      },
      TypedstreamCase("a range", #"{"class":"NSValue","range":{"length":2,"location":1}}"#) {
        Self.value("{_NSRange=QQ}", &$0) { $0.integers(1, 2) }
      },
      TypedstreamCase(
        "an attributed text",
        #"{"class":"NSAttributedString","runs":[{"attributes":{"k":0},"length":2,"location":0},"#
          + #"{"attributes":{},"length":2,"location":2},"#
          + #"{"attributes":{"k":0},"length":2,"location":4}],"text":"ab👍cd"}"#
      ) { writer in
        writer.object("NSAttributedString#0") { writer in
          writer.group("@") { $0.string("ab👍cd") }
          writer.group("iI") { $0.integers(1, 2) }
          writer.group("@") {
            $0.collection("NSDictionary", 1, of: [{ $0.string("k") }, { $0.nsNumber(0) }])
          }
          writer.group("iI") { $0.integers(2, 2) }
          writer.group("@") { $0.collection("NSDictionary", 0, of: []) }
          writer.group("iI") { $0.integers(1, 2) }
        }
      },
      TypedstreamCase(
        "an attributed text of one run",
        #"{"class":"NSMutableAttributedString","runs":[{"attributes":{},"length":1,"location":0}],"#
          + #""text":"a"}"#
      ) { writer in
        writer.object("NSMutableAttributedString#0", "NSAttributedString#0") { writer in
          writer.group("@") { $0.string("a") }
          writer.group("iI") { $0.integers(1, 1) }
          writer.group("@") { $0.collection("NSDictionary", 0, of: []) }
        }
      },
      TypedstreamCase(
        "an attributed text without text", #"{"class":"NSAttributedString","runs":[],"text":""}"#
      ) { writer in
        writer.object("NSAttributedString#0") { $0.group("@") { $0.string("") } }
      },
      TypedstreamCase(
        "an opaque colour",
        #"{"class":"NSColor","colorSpace":1,"components":[0.25,0,1],"kind":"calibratedRGB"}"#
      ) { Self.color(1, "ffff", &$0, 0.25, 0, 1, 1) },
      TypedstreamCase(
        "a grey colour",
        #"{"alpha":0.5,"class":"NSColor","colorSpace":3,"components":[0.25],"#
          + #""kind":"calibratedWhite"}"#
      ) { Self.color(3, "ff", &$0, 0.25, 0.5) },
      TypedstreamCase(
        "a colour of the printer",
        #"{"alpha":0,"class":"NSColor","colorSpace":5,"components":[0,0.5,0,1],"#
          + #""kind":"deviceCMYK"}"#
      ) { Self.color(5, "fffff", &$0, 0, 0.5, 0, 1, 0) },
      TypedstreamCase(
        "a named colour",
        #"{"catalog":"System","class":"NSColor","color":{"class":"NSColor","colorSpace":4,"#
          + #""components":[1],"kind":"deviceWhite"},"colorSpace":6,"kind":"named","name":"text"}"#
      ) { writer in
        writer.object("NSColor#0") { writer in
          writer.group("c", 6)
          writer.group("@@@") { writer in
            writer.string("System")
            writer.string("text")
            Self.color(4, "ff", &writer, 1, 1)
          }
        }
      },
      TypedstreamCase(
        "a font", #"{"class":"NSFont","flagBytes":[0,1,0,4],"name":"Monaco","size":9.5}"#
      ) { Self.font(21, [5, 0, 0, 0, 6, 0, 0, 0] + Array("Monaco".utf8) + [0, 0], &$0) },
      TypedstreamCase(
        "a font whose name is in UTF-16",
        #"{"class":"NSFont","flagBytes":[0,1,0,4],"name":"é","size":9.5}"#
      ) { Self.font(30, [6, 0, 0, 0, 4, 0, 0, 0, 0xFE, 0xFF, 0, 0xE9], &$0) },
      TypedstreamCase(
        "a path",
        #"{"class":"NSBezierPath","flatness":0.5,"lineCapStyle":1,"lineJoinStyle":2,"#
          + #""lineWidth":3,"miterLimit":10,"segments":[{"operation":"moveTo","#
          + #""points":[{"x":1,"y":2.5}]},{"operation":"curveTo","points":[{"x":1,"y":0},"#
          + #"{"x":2,"y":0},{"x":3,"y":0}]}],"windingRule":1}"#
      ) { writer in
        writer.object("NSBezierPath#524") { writer in
          writer.group("i", 4)
          writer.group("cff") { writer in
            writer.raw(0, 1)
            writer.float(2.5)
          }
          for x in 1...3 as ClosedRange<UInt8> { writer.group("cff") { $0.raw(2, x, 0) } }
          writer.group("iiifffi") { writer in
            writer.integers(1, 1, 2, 3, 10)
            writer.float(0.5)
            writer.integer(0)
          }
        }
      },
    ])
  func values(of one: TypedstreamCase) throws {
    let content = try TypedstreamContent(.stream { $0.group("@", one.write) })
    #expect(content.roots == one.expected.map { "root: \($0)" })
    #expect(content.misfits == [])
  }

  @Test(
    "have positions where their groups are not those of the class, which is told",
    arguments: [
      TypedstreamCase("an array of too few", "NSArray(v1: 3, v2: 'a')") {
        $0.collection("NSArray", 3, of: [{ $0.string("a") }])
      },
      TypedstreamCase("an array of too many", "NSArray(v1: 0, v2: 'a')") {
        $0.collection("NSArray", 0, of: [{ $0.string("a") }])
      },
      TypedstreamCase("an array without end", "NSArray(v1: 2147483647)") {
        $0.collection("NSArray", 2_147_483_647, of: [])
      },
      TypedstreamCase("a dictionary of half a pair", "NSDictionary(v1: 1, v2: 'a')") {
        $0.collection("NSDictionary", 1, of: [{ $0.string("a") }])
      },
      TypedstreamCase("a dictionary of very many", "NSDictionary(v1: 9223372036854775807)") {
        $0.object("NSDictionary#0") { $0.group("q", .max) }
      },
      TypedstreamCase("a text of other groups", "NSString(v1: 1)") {
        $0.object("NSString#1") { $0.group("i", 1) }
      },
      TypedstreamCase("no text", "NSString(v1: nil)") {
        $0.object("NSString#1") { $0.group("+") { $0.null() } }
      },
      TypedstreamCase("a number of another type", "NSNumber(v1: 'i', v2: real 1.0)") { writer in
        writer.object("NSNumber#0", "NSValue#0") { writer in
          writer.group("*") { $0.cString("i") }
          writer.group("d", 1)
        }
      },
      TypedstreamCase("data of another size", "NSData(v1: 2, v2: <01>)") { writer in
        writer.object("NSData#0") { writer in
          writer.group("i", 2)
          writer.group("[1c]") { $0.raw(1) }
        }
      },
      TypedstreamCase("NSNull with something", "NSNull(v1: 1)") {
        $0.object("NSNull#0") { $0.group("i", 1) }
      },
      TypedstreamCase(
        "an attributed text of unknown attributes",
        "NSAttributedString(v1: 'ab', v2_1: 7, v2_2: 2)"
      ) { Self.runs(&$0, "ab", (7, 2)) },
      TypedstreamCase(
        "an attributed text of too long runs",
        "NSAttributedString(v1: 'ab', v2_1: 1, v2_2: 5, v3: dictionary())"
      ) { Self.runs(&$0, "ab", (1, 5)) },
      TypedstreamCase(
        "an attributed text of too short runs",
        "NSAttributedString(v1: 'ab', v2_1: 1, v2_2: 1, v3: dictionary())"
      ) { Self.runs(&$0, "ab", (1, 1)) },
      TypedstreamCase("a colour of an unknown kind", "NSColor(v1: 9, v2: real 1.0)") { writer in
        writer.object("NSColor#0") { writer in
          writer.group("c", 9)
          writer.group("f", 1)
        }
      },
      TypedstreamCase(
        "an older font",
        "NSFont(v1: 4, v2: <05000000>, v3: real 9.5, v4: false, v5: true, v6: false, v7: 4)"
      ) { Self.font(20, [5, 0, 0, 0], &$0) },
      TypedstreamCase(
        "a font without a name",
        "NSFont(v1: 8, v2: <05000000ff000000>, v3: real 9.5, v4: 0, v5: 1, v6: 0, v7: 4)"
      ) { Self.font(21, [5, 0, 0, 0, 0xFF, 0, 0, 0], &$0) },
      TypedstreamCase(
        "a value of another structure", "NSValue(v1: '{x=ii}', v2: array(1, 2))"
      ) { Self.value("{x=ii}", &$0) { $0.integers(1, 2) } },
      TypedstreamCase("a class without a description", "NSCountedSet(v1: 1)") {
        $0.object("NSCountedSet#0", "NSSet#0") { $0.group("I", 1) }
      },
    ])
  func misfits(of one: TypedstreamCase) throws {
    let content = try TypedstreamContent(.stream { $0.group("@", one.write) })
    #expect(content.objects == one.expected)
    #expect(content.misfits == [String(one.expected[0].prefix { $0 != "(" })])
  }

  // MARK: Objects

  private static func value(
    _ type: String, _ writer: inout TypedstreamWriter, _ write: (inout TypedstreamWriter) -> Void
  ) {
    writer.object("NSValue#0") { writer in
      writer.group("*") { $0.cString(type) }
      writer.group(type, write)
    }
  }

  private static func color(
    _ kind: Int, _ type: String, _ writer: inout TypedstreamWriter, _ numbers: Float...
  ) {
    writer.object("NSColor#0") { writer in
      writer.group("c", kind)
      writer.group(type) { writer in numbers.forEach { writer.float($0) } }
    }
  }

  private static func font(_ version: Int, _ name: [UInt8], _ writer: inout TypedstreamWriter) {
    writer.object("NSFont#\(version)") { writer in
      writer.group("i", name.count)
      writer.group("[\(name.count)c]") { $0.raw(name) }
      writer.group("f") { $0.float(9.5) }
      for flag in [0, 1, 0, 4] { writer.group("c", flag) }
    }
  }

  private static func runs(_ writer: inout TypedstreamWriter, _ text: String, _ run: (Int, Int)) {
    writer.object("NSAttributedString#0") { writer in
      writer.group("@") { $0.string(text) }
      writer.group("iI") { $0.integers(run.0, run.1) }
      if run.0 == 1 { writer.group("@") { $0.collection("NSDictionary", 0, of: []) } }
    }
  }
}
