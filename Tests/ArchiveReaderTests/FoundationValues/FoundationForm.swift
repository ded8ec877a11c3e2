import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

/// An object as it is archived, and the JSON of the value that is read from it.
struct FoundationForm: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// Nil where the object is no value.
  var json: String?
  var sketch: Sketch

  /// - Parameters:
  ///   - name: What is special about it.
  ///   - className: The class.
  ///   - pairs: The keys.
  ///   - unkeyed: The values without keys.
  ///   - json: The JSON but for the class, which is put in front; nil where it is no value.
  init(
    _ name: String, _ className: String, _ pairs: KeyValuePairs<String, Sketch>,
    unkeyed: [Sketch] = [], _ json: String?
  ) {
    testDescription = "\(className) \(name)"
    sketch = .object(className, pairs, unkeyed: unkeyed)
    self.json = json.map { $0.replacing("CLASS", with: "\"class\":\"\(className)\"") }
  }

  /// An object in the usual form.
  init(_ className: String, _ pairs: KeyValuePairs<String, Sketch>, _ json: String) {
    self.init("as usual", className, pairs, json)
  }

  /// An object that is no value, though its class is known.
  static func misfit(
    _ name: String, _ className: String, _ pairs: KeyValuePairs<String, Sketch>,
    unkeyed: [Sketch] = []
  ) -> FoundationForm {
    FoundationForm(name, className, pairs, unkeyed: unkeyed, nil)
  }

  /// Archives the object, reads it and expects the JSON; or that it is reported as a misfit and
  /// keeps its keys.
  ///
  /// A value is also one with nil under a key that nobody knows, and with its texts, data and
  /// numbers in objects of their own.
  func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let sketches = json == nil ? [sketch] : [sketch, sketch.withUnknownNil, sketch.wrapped]
    for sketch in sketches { try check(sketch, sourceLocation) }
    // What it holds besides is not lost.
    if json != nil { try check(sketch.withUnknownText, json: nil, sourceLocation) }
  }

  private func check(_ sketch: Sketch, _ sourceLocation: SourceLocation) throws {
    try check(sketch, json: json, sourceLocation)
  }

  private func check(_ sketch: Sketch, json: String?, _ sourceLocation: SourceLocation) throws {
    let builder = KeyedArchiveBuilder.archive { sketch.add(to: &$0) }
    let whole = try KeyedArchive(bytes: builder.binary())
    for bytes in [builder.binary(), try builder.xml(), Data(NibWriter.nib(of: whole))] {
      let archive = try KeyedArchive(bytes: bytes)
      let reader = archive.makeGraph(GraphOptions())
      let root = try #require(archive.roots.first, sourceLocation: sourceLocation)
      let value = try reader.value(of: root)
      guard let json else {
        guard case .object = value else {
          Issue.record(
            "\(testDescription): \(try reader.text(of: value))", sourceLocation: sourceLocation)
          continue
        }
        #expect(reader.misfitNames.count == 1, sourceLocation: sourceLocation)
        continue
      }
      #expect(try reader.text(of: value) == json, sourceLocation: sourceLocation)
      #expect(reader.misfitNames == [], sourceLocation: sourceLocation)
    }
  }
}
