import Foundation
import TestSupport

/// Small typedstreams, each about something else.
enum TypedstreamSeeds {
  static var all: [Seed] {
    [
      seed("numbers", numbers), seed("numbers-big", isBigEndian: true, numbers),
      seed("collections", collections), seed("texts", texts), seed("objects", objects),
      seed("structures", structures), seed("graphics", graphics),
    ]
  }

  private static func seed(
    _ name: String, isBigEndian: Bool = false, _ write: (inout TypedstreamWriter) -> Void
  ) -> Seed {
    var writer = TypedstreamWriter(isBigEndian: isBigEndian)
    write(&writer)
    return Seed("\(name).typedstream", Data(writer.bytes))
  }

  private static func numbers(_ writer: inout TypedstreamWriter) {
    for type in ["s", "S", "i", "I", "l", "L", "q", "Q"] { writer.group(type, 300) }
    writer.group("q", .max)
    writer.group("c", -2)
    writer.group("B", 1)
    writer.group("f") { $0.float(0.5) }
    writer.group("dd") { writer in
      writer.double(0.1)
      writer.integer(7)
    }
    writer.group("@") { $0.nsNumber("c") { $0.raw(1) } }
    writer.group("@") { writer in
      writer.object("NSDate#0") { $0.group("d") { $0.double(1.5) } }
    }
  }

  private static func collections(_ writer: inout TypedstreamWriter) {
    writer.group("@") { writer in
      writer.collection(
        "NSDictionary", 2,
        of: [
          { $0.string("a") },
          { $0.collection("NSArray", 2, of: [{ $0.null() }, { $0.data([1]) }]) },
          { $0.string("b") }, { $0.collection("NSSet", 1, of: [{ $0.object("NSNull#0") }]) },
        ])
    }
  }

  private static func texts(_ writer: inout TypedstreamWriter) {
    writer.group("@") { writer in
      writer.object("NSAttributedString#0") { writer in
        writer.group("@") { $0.string("aé👍") }
        writer.group("iI") { $0.integers(1, 2) }
        writer.group("@") {
          $0.collection("NSDictionary", 1, of: [{ $0.string("k") }, { $0.nsNumber(0) }])
        }
        writer.group("iI") { $0.integers(2, 1) }
        writer.group("@") { $0.collection("NSDictionary", 0, of: []) }
        writer.group("iI") { $0.integers(1, 1) }
      }
    }
    writer.group("*") { $0.cString("c") }
    writer.group(":%+") { writer in
      writer.shared("run:")
      writer.shared("atom")
      writer.text([0xFF])
    }
    writer.group("@") { writer in
      writer.object("NSURL#0") { writer in
        writer.group("c", 0)
        writer.group("@") { $0.string("https://example.org/") }
      }
    }
  }

  private static func objects(_ writer: inout TypedstreamWriter) {
    for count in 1...3 {
      writer.group("@") { writer in
        writer.object("Note#\(count / 3)", "Item#1") { writer in
          writer.group("i", count)
          for _ in 0..<count { writer.group("@") { $0.object("Tag#0") } }
          writer.group("@#") { writer in
            writer.reference(0)
            writer.class(["Tag#0"])
          }
          writer.group("I", count)
          for number in 0..<count {
            writer.group("s", number)
            writer.group("c", number)
          }
        }
      }
    }
  }

  private static func structures(_ writer: inout TypedstreamWriter) {
    writer.group("{CGRect={CGPoint=dd}{CGSize=dd}}[2{?=si}]") { writer in
      writer.integers(1, 2, 3, 4)
      writer.integers(5, 6, 7, 8)
    }
    writer.group("[3c]!i") { writer in
      writer.raw(1, 2, 3)
      writer.integer(4)
    }
    writer.group("@") { writer in
      writer.object("NSValue#0") { writer in
        writer.group("*") { $0.cString("{_NSRange=II}") }
        writer.group("{_NSRange=II}") { $0.integers(1, 2) }
      }
    }
  }

  private static func graphics(_ writer: inout TypedstreamWriter) {
    writer.group("@") { writer in
      writer.object("NSColor#0") { writer in
        writer.group("c", 1)
        writer.group("ffff") { $0.integers(0, 1, 0, 1) }
      }
    }
    writer.group("@") { writer in
      writer.object("NSFont#30") { writer in
        writer.group("i", 12)
        writer.group("[12c]") { $0.raw(6, 0, 0, 0, 4, 0, 0, 0, 0xFE, 0xFF, 0, 0x61) }
        writer.group("f", 12)
        for flag in [0, 1, 0, 4] { writer.group("c", flag) }
      }
    }
    writer.group("@") { writer in
      writer.object("NSBezierPath#524") { writer in
        writer.group("i", 1)
        writer.group("cff") { $0.raw(0, 1, 2) }
        writer.group("iiifffi") { $0.integers(0, 1, 2, 3, 4, 5, 0) }
      }
    }
  }
}
