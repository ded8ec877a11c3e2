import ArchiveWriter
import Foundation

/// The contents of a file in the neutral form that Conformance/README.md describes.
struct Reading {
  private var roots: [(key: String, value: JSON)]
  private var objects: [(id: String, className: String, values: JSON)]

  /// A reading whose objects are numbered from 1.
  init(_ roots: KeyValuePairs<String, JSON>, _ objects: (String, JSON)...) {
    self.init(roots, objects: objects)
  }

  init(_ roots: KeyValuePairs<String, JSON>, objects: [(String, JSON)]) {
    self.roots = roots.map { (key: $0.key, value: $0.value) }
    self.objects = objects.enumerated().map { ("\($0 + 1)", $1.0, $1.1) }
  }

  /// The objects of an archive whose `root` is the first of them.
  static func root(_ objects: (String, JSON)...) -> Reading {
    Reading(["root": .ref(1)], objects: objects)
  }

  /// A box at `root`, with a value.
  static func box(_ value: JSON) -> Reading { .root(("Box", ["value": value])) }

  /// A chain of objects at `root`, each of which refers to the next, in short.
  static func chain(of className: String, count: Int, key: String, end: JSON) -> Reading {
    var reading = Reading.root()
    reading.objects = [
      ("1-\(count - 1)", className, .object([(key: key, value: ["ref": "+1"] as JSON)])),
      ("\(count)", className, end),
    ]
    return reading
  }

  fileprivate var json: JSON {
    let objects = objects.map { id, className, values in
      (key: id, value: ["class": .string(className), "values": values] as JSON)
    }
    return ["roots": .object(roots), "objects": .object(objects)]
  }
}

/// One or more files that hold the same, and what readers must make of them.
struct Case {
  /// The folder and the name, "keyed/integer".
  let name: String
  /// The case in one sentence.
  let about: String
  /// The ends of the names of the files, and their bytes.
  let files: [(ending: String, bytes: Data)]
  /// The reading; nil if a reader must refuse the files.
  let reading: Reading?

  init(
    _ name: String, _ about: String, _ files: [(ending: String, bytes: Data)], _ reading: Reading?
  ) {
    (self.name, self.about, self.files, self.reading) = (name, about, files, reading)
  }

  /// The contents of the JSON file.
  var expectation: String {
    let outcome: (key: String, value: JSON) =
      reading.map { ("reading", $0.json) } ?? ("error", true)
    return JSON.object([(key: "about", value: .string(about)), outcome]).text(level: 3) + "\n"
  }
}

/// Keyed archives in their two forms.
extension Case {
  /// A case of an archive.
  ///
  /// - Parameters:
  ///   - name: The name, without the folder.
  ///   - about: The case in one sentence.
  ///   - reading: The reading.
  ///   - hasXML: Whether XML can express the archive.
  ///   - make: Makes the object at `root`.
  /// - Returns: The case.
  /// - Throws: What `make` throws.
  static func keyed(
    _ name: String, _ about: String, _ reading: Reading?, hasXML: Bool = true,
    _ make: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) throws -> Case {
    try keyed(name, about, reading, hasXML: hasXML, archive: .archive(make))
  }

  static func keyed(
    _ name: String, _ about: String, _ reading: Reading?, hasXML: Bool = true,
    archive: KeyedArchiveBuilder
  ) throws -> Case {
    var files = [(ending: "binary.plist", bytes: archive.binary())]
    if hasXML { files.append(("xml.plist", try archive.xml())) }
    return Case("keyed/\(name)", about, files, reading)
  }

  /// A case of a box with a value.
  static func value(
    _ name: String, _ about: String, _ expected: JSON, hasXML: Bool = true,
    _ make: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) throws -> Case {
    try keyed(name, about, .box(expected), hasXML: hasXML) { archive in
      let box = archive.reserve()
      let value = try make(&archive)
      return archive.fill(box, className: "Box", [KeyValue("value", value)])
    }
  }

  /// A file that readers must refuse.
  static func bad(_ name: String, _ about: String, _ bytes: some Sequence<UInt8>) -> Case {
    let parts = name.split(separator: ".", maxSplits: 1)
    return Case(String(parts[0]), about, [(String(parts[1]), Data(bytes))], nil)
  }
}
