import ArchiveReader
import Converter
import Foundation
import Importer
import TestSupport
import Testing

@Suite("A hook of a class in typedstreams")
struct PositionHookTests {
  /// Decodes as NSCoder has it where values have no keys.
  struct Document: ImportHook {
    static let archivedClassNames = ["Document"]
    static var entityName: String? { "Box" }

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      guard !coder.allowsKeyedCoding else { throw HookError.keyed }
      let row = try coder.insert(into: "Box")
      let version = coder.version(forClassName: "Document")
      let title = try coder.decodeObject()
      guard case .integer(let count) = try coder.decodeValue(ofObjCType: "i") else {
        throw HookError.ended
      }
      let members = try (0..<count).map { _ in try coder.decodeObject() }
      let size = try coder.decodeValues(ofObjCTypes: "si")
      let points = try coder.decodeArray(ofObjCType: "f", count: 2)
      let bytes = try coder.decodeArray(ofObjCType: "c", count: 3)
      let raw = try coder.decodeBytes()
      let point = try coder.decodeValue(ofObjCType: "{_NSPoint=ff}")
      let selector = try coder.decodeValue(ofObjCType: ":")
      let flag = try coder.decodeValue(ofObjCType: "c")
      guard !coder.isAtEnd else { throw HookError.ended }
      let parts = [
        "\(version)", text(title), "\(count)", "\(members.count)", text(.list(size)),
        text(.list(points)), text(.list(bytes)), "\(raw.map(Array.init) ?? [])", text(point),
        text(selector), text(flag), "\(coder.unkeyedCount)", "\(coder.allKeys)",
      ]
      row["name"] = parts.joined(separator: " | ")
      row["things"] = .list(members)
      return row
    }

    private static func text(_ value: ImportValue) -> String {
      switch value {
      case .text(let text): text
      case .integer(let value): "\(value)"
      case .real(let value): "\(value)"
      case .list(let values): "[\(values.map(text).joined(separator: ", "))]"
      default: "\(value)"
      }
    }
  }

  /// Decodes a name, and leaves a number.
  struct Thing: ImportHook {
    static let archivedClassNames = ["Thing"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let row = try coder.insert()
      row["name"] = try coder.decodeObject()
      return row
    }
  }

  private enum HookError: Error { case keyed, ended }

  private static func document(_ members: Int) -> Data {
    Data(
      TypedstreamWriter.stream { writer in
        writer.group("@") { writer in
          writer.object("Document#7", "Base#2") { writer in
            writer.group("@") { $0.string("a") }
            writer.group("i", members)
            for number in 0..<members {
              writer.group("@") { writer in
                writer.object("Thing#0") { writer in
                  writer.group("@") { $0.string("t\(number)") }
                  writer.group("i", number)
                }
              }
            }
            writer.group("si") { $0.integers(-2, 300) }
            writer.group("[2f]") { writer in
              writer.float(0.5)
              writer.integer(2)
            }
            writer.group("[3c]") { $0.raw(1, 255, 0) }
            writer.group("+") { $0.text([0xFF, 0xFE]) }
            writer.group("{_NSPoint=ff}") { $0.integers(1, 2) }
            writer.group(":") { $0.shared("copy:") }
            writer.group("c", 1)
            writer.group("i", 9)
          }
        }
      })
  }

  @Test("takes the values in their order, lists as they were written")
  func order() throws {
    let (store, report) = try SteeredConversion(
      [Self.document(1), Self.document(2)], model: HookModel.document,
      ImportExtensions(hooks: [Document.self, Thing.self])
    ).run()
    let rest =
      #"| [-2, 300] | [0.5, 2.0] | [1, -1, 0] | [255, 254] | {1.0, 2.0} | copy: | 1 | 11 "#
      + #"| ["v1", "v2", "v3_1", "v3_2", "v4", "v5", "v6", "v7", "v8", "v9", "v10"]"#
    let boxes = try store.lines("SELECT name FROM Box ORDER BY id")
    #expect(boxes == ["7 | a | 1 | 1 \(rest)", "7 | a | 2 | 2 \(rest)"])
    #expect(try store.lines("SELECT name FROM Thing ORDER BY id") == ["t0", "t0", "t1"])
    #expect(report.unread == ["Document.v10 2", "Thing.v2 3"])
  }

  @Test("is verified with the lists that all streams have shown")
  func verified() throws {
    struct Named: ImportHook {
      static let archivedClassNames = ["Thing"]
      static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
        let row = try coder.insert()
        row["v1"] = try coder.decodeObject()
        return row
      }
    }
    let folder = try TemporaryFolder()
    let inputs = try [1, 3].map { try folder.write(Self.document($0), to: "\($0).stream") }
    var options = ConversionOptions()
    options.extensions = ImportExtensions(hooks: [Named.self])
    let output = folder.file(named: "out.db")
    var conversion = Conversion(inputs: inputs, destination: output, options: options)
    _ = try conversion.run()
    #expect(try StoreQuery(output).value("SELECT count(v9) FROM Document") == "2")
    var verifier = StoreVerifier(store: output, inputs: inputs, options: options)
    #expect(try verifier.run().verification?.differences == [])
  }

  @Test("is told where the type asked for is not that of the value")
  func mismatch() throws {
    struct Wrong: ImportHook {
      static let archivedClassNames = ["Document"]
      static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
        _ = try coder.decodeValue(ofObjCType: "i")
        return nil
      }
    }
    let messages = try SteeredConversion(
      [Self.document(0)], model: HookModel.document, ImportExtensions(hooks: [Wrong.self])
    ).failure()
    #expect(
      messages == [
        "a0.plist: object 1 (Document): the hook failed (Wrong: 'v1' holds text, but a number was "
          + "requested)"
      ])
  }
}
