import ArchiveReader
import TestSupport
import Testing

@Suite("Objects of other classes in typedstreams")
struct TypedstreamLayoutTests {
  @Test(
    "have positions for keys",
    arguments: [
      TypedstreamCase("groups of one value, and of several", "Note(v1: 5, v2_1: 1, v2_2: 'a')") {
        writer in
        writer.group("@") { writer in
          writer.object("Note#1") { writer in
            writer.group("i", 5)
            writer.group("i@") { writer in
              writer.integer(1)
              writer.string("a")
            }
          }
        }
      },
      TypedstreamCase(
        "groups of several values with new objects, and these hold others",
        "Note(v1_1: Item#2, v1_2: Item#3, v1_3: true, v2: 7)"
      ) { writer in
        Self.note(&writer) { writer in
          writer.group("@@c") { writer in
            writer.object("Item#1") { writer in
              writer.group("@c") { writer in
                writer.object("Item#1") { $0.group("cc") { $0.raw(5, 6) } }
                writer.raw(9)
              }
            }
            writer.reference(5)
            writer.raw(1)
          }
          writer.group("i", 7)
        }
      },
      TypedstreamCase("none", "Note()") { $0.group("@") { $0.object("Note#1") } },
      TypedstreamCase(
        "characters, which are truths where all objects have 0 and 1",
        "Note(v1_1: true, v1_2: 1)", "Note(v1_1: false, v1_2: 5)"
      ) { writer in
        Self.note(&writer) { $0.group("cc") { $0.raw(1, 1) } }
        Self.note(&writer) { $0.group("cc") { $0.raw(0, 5) } }
      },
      TypedstreamCase(
        "lists of different lengths",
        "Note(v1: 'a', v2: array(Item#3, Item#4), v3: 7)", "Note(v1: 'b', v2: array(), v3: 8)",
        "Note(v1: 'c', v2: array(Item#9), v3: 9)"
      ) { writer in
        Self.list(&writer, "a", [1, 2], 7)
        Self.list(&writer, "b", [], 8)
        Self.list(&writer, "c", [1], 9)
      },
      TypedstreamCase(
        "lists of pairs", "Note(v1: array(array(1, real 1.0)))",
        "Note(v1: array(array(1, real 1.0), array(2, real 2.0)))"
      ) { writer in
        for count in 1...2 {
          Self.note(&writer) { writer in
            writer.group("I", count)
            for number in 1...count {
              writer.group("s", number)
              writer.group("d", number)
            }
          }
        }
      },
      TypedstreamCase(
        "lists of groups with several values",
        "Note(v1: array(array(true, real 1.0), array(false, real 2.0)), v2: real 1.0)",
        "Note(v1: array(array(true, real 3.0)), v2: real 1.0)"
      ) { writer in
        for points in [[1, 2], [3]] as [[UInt8]] {
          Self.note(&writer) { writer in
            writer.group("i", points.count)
            for point in points { writer.group("cf") { $0.raw(point % 2, point) } }
            writer.group("f", 1)
          }
        }
      },
      TypedstreamCase(
        "no list where a number is the same in all", "Note(v1: 1, v2: real 1.0)",
        "Note(v1: 1, v2: real 2.0, v3: real 3.0)"
      ) { writer in
        for points in [[1], [2, 3]] {
          Self.note(&writer) { writer in
            writer.group("i", 1)
            for point in points { writer.group("f", point) }
          }
        }
      },
      TypedstreamCase(
        "no list where one is too short", "Note(v1: 3, v2: real 1.0)",
        "Note(v1: 2, v2: real 1.0, v3: real 1.0)"
      ) { writer in
        for (number, count) in [(3, 1), (2, 2)] {
          Self.note(&writer) { writer in
            writer.group("i", number)
            for _ in 0..<count { writer.group("f", 1) }
          }
        }
      },
      TypedstreamCase(
        "the version of a class where there are several",
        "Note(class_version: 1, v1: 5)", "Note(class_version: 2, v1: 6)"
      ) { writer in
        for number in 1...2 {
          writer.group("@") { $0.object("Note#\(number)") { $0.group("i", 4 + number) } }
        }
      },
    ])
  func positions(of one: TypedstreamCase) throws {
    let content = try TypedstreamContent(.stream(one.write))
    #expect(content.objects.filter { $0.hasPrefix("Note") } == one.expected)
    #expect(content.misfits == [])
  }

  @Test("are of classes with their superclasses")
  func hierarchy() throws {
    let archive = try TypedstreamContent(
      .stream { writer in
        writer.group("@") { $0.object("Sub#2", "Base#1") }
        writer.group("@") { $0.object("Base#1") }
      }
    ).archive
    let inspection = try archive.inspect(limits: .standard)
    #expect(
      inspection.classes.map(\.hierarchy) == [["Base", "NSObject"], ["Sub", "Base", "NSObject"]])
    #expect(inspection.danglingReferences == [])
  }

  @Test(
    "stand under the key of a root, or the numbers of groups",
    arguments: [
      TypedstreamCase("one", "root: 1") { $0.group("i", 1) },
      TypedstreamCase("none") { _ in },
      TypedstreamCase("several", "1: 1", "2: 2") { writer in
        writer.group("i", 1)
        writer.group("i", 2)
      },
      TypedstreamCase("one of several values", "1_1: 1, 1_2: 2") {
        $0.group("ii") { $0.integers(1, 2) }
      },
    ])
  func roots(of one: TypedstreamCase) throws {
    let content = try TypedstreamContent(.stream(one.write))
    #expect(content.roots == one.expected.flatMap { $0.split(separator: ", ").map(String.init) })
  }

  // MARK: Objects

  private static func note(
    _ writer: inout TypedstreamWriter, _ write: (inout TypedstreamWriter) -> Void
  ) {
    writer.group("@") { $0.object("Note#1", write: write) }
  }

  private static func list(
    _ writer: inout TypedstreamWriter, _ title: String, _ items: [Int], _ rank: Int
  ) {
    note(&writer) { writer in
      writer.group("@") { $0.string(title) }
      writer.group("i", items.count)
      for item in items {
        writer.group("@") { $0.object("Item#0") { $0.group("i", item) } }
      }
      writer.group("s", rank)
    }
  }
}
