import Foundation
import TestSupport

/// Typedstreams: their objects have positions for keys.
enum TypedstreamCases {
  private typealias Write = (inout TypedstreamWriter) -> Void

  static func all() -> [Case] { numbers + texts + foundation + objects + streams + bad }

  private static func stream(
    _ name: String, _ about: String, _ reading: Reading, isBigEndian: Bool = false,
    system: Int = 1000, _ write: Write
  ) -> Case {
    var writer = TypedstreamWriter(isBigEndian: isBigEndian, system: system)
    write(&writer)
    return Case("typedstream/\(name)", about, [("typedstream", Data(writer.bytes))], reading)
  }

  /// A box with groups.
  private static func box(
    _ name: String, _ about: String, _ values: JSON, isBigEndian: Bool = false, _ write: Write
  ) -> Case {
    stream(name, about, .root(("Box", values)), isBigEndian: isBigEndian) { writer in
      writer.group("@") { $0.object("Box#0", write: write) }
    }
  }

  /// A box with one object.
  private static func value(
    _ name: String, _ about: String, _ expected: JSON, _ write: Write
  ) -> Case {
    box(name, about, ["1": expected]) { $0.group("@", write) }
  }

  private static var numbers: [Case] {
    [
      box("integer-char", "A character is one byte, signed.", ["1": -2]) { $0.group("c", -2) },
      box("integer-inline", "An integer in its head.", ["1": -110]) { $0.group("i", -110) },
      box("integer-2-bytes", "An integer of two bytes.", ["1": 300]) { $0.group("i", 300) },
      box("integer-4-bytes", "An integer of four bytes.", ["1": 70_000]) { $0.group("i", 70_000) },
      box("integer-8-bytes", "An integer of eight bytes.", ["1": -9_000_000_000]) { writer in
        writer.group("q", -9_000_000_000)
      },
      box(
        "integer-unsigned",
        "An unsigned integer with its top bit set is written as a negative one.",
        ["1": 4_294_967_295]
      ) { $0.group("I", -1) },
      box("integers-big-endian", "A stream in big-endian order.", ["1": 300], isBigEndian: true) {
        writer in writer.group("i", 300)
      },
      box("boolean", "A boolean of C.", ["1": true]) { $0.group("B", 1) },
      box("real-float", "A float.", ["1": .real(0.5)]) { writer in
        writer.group("f") { $0.float(0.5) }
      },
      box("real-double", "A double.", ["1": .real(0.1)]) { writer in
        writer.group("d") { $0.double(0.1) }
      },
      box("real-whole", "A whole number is written as an integer.", ["1": .real(7)]) { writer in
        writer.group("d") { $0.integer(7) }
      },
      box("real-minus-zero", "Zero has a sign.", ["1": .real(-0.0)]) { writer in
        writer.group("d") { $0.double(-0.0) }
      },
      value("number-integer", "An NSNumber.", 300) { $0.nsNumber(300) },
      value("number-real", "An NSNumber that is real.", .real(0.25)) { writer in
        writer.nsNumber("d") { $0.double(0.25) }
      },
    ]
  }

  private static var texts: [Case] {
    [
      value("string", "An NSString.", "Grüße") { $0.string("Grüße") },
      value("string-empty", "An NSString of no characters.", "") { $0.string("") },
      value("string-mutable", "An NSMutableString.", "a") { writer in
        writer.string("a", "NSMutableString#1", "NSString#1")
      },
      value(
        "string-long", "A length of two bytes.", .string(String(repeating: "a", count: 200))
      ) { $0.string(String(repeating: "a", count: 200)) },
      box("c-string", "A C string, and a reference to it.", ["1": "c", "2": "c"]) { writer in
        writer.group("*") { $0.cString("c") }
        writer.group("*") { $0.cString("c") }
      },
      box("selector", "A selector is text.", ["1": "run:"]) { writer in
        writer.group(":") { $0.shared("run:") }
      },
      box("class", "A class as a value.", ["1": ["class": "Tag"]]) { writer in
        writer.group("#") { $0.class(["Tag#0"]) }
      },
    ]
  }

  private static var foundation: [Case] {
    [
      value("nil", "Nil.", .null) { $0.null() },
      value("null", "NSNull is not nil.", ["null": "NSNull"]) { $0.object("NSNull#0") },
      value("date", "An NSDate.", .date(1.5)) { writer in
        writer.object("NSDate#0") { $0.group("d") { $0.double(1.5) } }
      },
      value("data", "An NSData.", .data([1, 2, 255])) { $0.data([1, 2, 255]) },
      value("array", "An NSArray.", ["a", "b"]) { writer in
        writer.collection("NSArray", 2, of: [{ $0.string("a") }, { $0.string("b") }])
      },
      value("set", "An NSSet.", .set("a", "b")) { writer in
        writer.collection("NSSet", 2, of: [{ $0.string("a") }, { $0.string("b") }])
      },
      value("dictionary", "An NSDictionary.", .dictionary(("k", 1))) { writer in
        writer.collection("NSDictionary", 1, of: [{ $0.string("k") }, { $0.nsNumber(1) }])
      },
      value("url", "An NSURL.", ["url": "https://example.org/"]) { writer in
        writer.object("NSURL#0") { writer in
          writer.group("c", 0)
          writer.group("@") { $0.string("https://example.org/") }
        }
      },
      value("size", "An NSValue that is a size.", ["size": [.real(1.5), .real(2)]]) { writer in
        writer.object("NSValue#0") { writer in
          writer.group("*") { $0.cString("{CGSize=dd}") }
          writer.group("{CGSize=dd}") { writer in
            writer.double(1.5)
            writer.integer(2)
          }
        }
      },
      value(
        "attributed-string", "A run that repeats a dictionary has its number alone.",
        [
          "attributedString": "aé👍b",
          "runs": [[1, .dictionary(("k", 7))], [3, .dictionary()], [1, .dictionary(("k", 7))]],
        ]
      ) { writer in
        writer.object("NSAttributedString#0") { writer in
          writer.group("@") { $0.string("aé👍b") }
          writer.group("iI") { $0.integers(1, 1) }
          writer.group("@") { writer in
            writer.collection("NSDictionary", 1, of: [{ $0.string("k") }, { $0.nsNumber(7) }])
          }
          writer.group("iI") { $0.integers(2, 3) }
          writer.group("@") { $0.collection("NSDictionary", 0, of: []) }
          writer.group("iI") { $0.integers(1, 1) }
        }
      },
    ]
  }

  private static var objects: [Case] {
    [
      box("groups", "Several values in a group.", ["1": 300, "2.1": 400, "2.2": "a"]) { writer in
        writer.group("i", 300)
        writer.group("i@") { writer in
          writer.integer(400)
          writer.string("a")
        }
      },
      stream(
        "superclass", "The groups of a superclass come first.",
        .root(("Sub", ["1": 300, "2": 400]))
      ) { writer in
        writer.group("@") { writer in
          writer.object("Sub#1", "Base#2") { writer in
            writer.group("i", 300)
            writer.group("i", 400)
          }
        }
      },
      stream(
        "shared-object", "An object that another refers to twice.",
        .root(("Pair", ["1": .ref(2), "2": .ref(2)]), ("Leaf", ["1": 300]))
      ) { writer in
        writer.group("@") { writer in
          writer.object("Pair#0") { writer in
            let leaf = writer.count
            writer.group("@") { $0.object("Leaf#0") { $0.group("i", 300) } }
            writer.group("@") { $0.reference(leaf) }
          }
        }
      },
      stream(
        "self-reference", "An object that refers to itself.", .root(("Loop", ["1": .ref(1)]))
      ) { writer in
        writer.group("@") { $0.object("Loop#0") { $0.group("@") { $0.reference(0) } } }
      },
      box("array-of-bytes", "An array of characters is data.", ["1": .data([1, 2, 3])]) { writer in
        writer.group("[3c]") { $0.raw(1, 2, 3) }
      },
      box("array-of-integers", "Another array is a list.", ["1": [1, 2, 300]]) { writer in
        writer.group("[3i]") { $0.integers(1, 2, 300) }
      },
    ]
  }

  private static var streams: [Case] {
    [
      stream(
        "roots", "Several top-level groups have numbers.",
        Reading(["1": 300, "2": "a"])
      ) { writer in
        writer.group("i", 300)
        writer.group("@") { $0.string("a") }
      },
      stream(
        "system-900", "A stream of NeXTSTEP.", .root(("Box", ["1": 300])), system: 900
      ) { writer in
        writer.group("@") { $0.object("Box#0") { $0.group("i", 300) } }
      },
      stream(
        "deep", "A chain of 10,000 objects: more than the stack of most readers.",
        .chain(of: "Link", count: 10_000, key: "1", end: [:])
      ) { writer in
        writer.group("@") { writer in
          for _ in 1..<10_000 {
            writer.begin(["Link#0"])
            writer.shared("@")
          }
          writer.object("Link#0")
          for _ in 1..<10_000 { writer.end() }
        }
      },
    ]
  }

  private static var bad: [Case] {
    func bad(_ name: String, _ about: String, _ write: Write) -> Case {
      .bad("typedstream/bad/\(name).typedstream", about, TypedstreamWriter.stream(write))
    }
    let whole = TypedstreamWriter.stream { $0.group("@") { $0.string("Milk") } }
    return [
      .bad("typedstream/bad/cut.typedstream", "A stream that was cut short.", whole.dropLast(3)),
      .bad("typedstream/bad/end-twice.typedstream", "Two ends of one object.", whole + [0x86]),
      .bad(
        "typedstream/bad/version.typedstream", "A version that does not exist.",
        [9] + whole.dropFirst()),
      bad("head-reserved", "A head that is reserved.") { $0.group("i") { $0.raw(0x88) } },
      bad("reference-out-of-range", "A reference to an object that is not there.") { writer in
        writer.group("@") { $0.reference(7) }
      },
      bad("reference-kind", "A reference to an object where a class must be.") { writer in
        writer.group("@") { $0.object("Box#0") { $0.group("#") { $0.reference(0) } } }
      },
      bad("length-huge", "A string of 2 GB in a few bytes.") { writer in
        writer.group("+") { $0.integer(Int(Int32.max)) }
      },
      bad("length-negative", "A string of a negative length.") { writer in
        writer.group("+") { $0.integer(-3) }
      },
      bad("array-huge", "An array of 2 billion elements without their bytes.") { writer in
        writer.group("[2000000000i]")
      },
      bad("type-unknown", "A type that does not exist.") { $0.group("y") { $0.raw(1) } },
      bad("type-unclosed", "A structure without an end.") { $0.group("{a=i") { $0.integer(1) } },
    ]
  }
}
