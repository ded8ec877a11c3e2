import ArchiveReader
import ArchiveWriter
import TestSupport
import Testing

/// One way in which an object is archived, and what is read from it.
struct ArchivedForm: Sendable, CustomTestStringConvertible {
  typealias Maker = @Sendable (inout KeyedArchiveBuilder) throws -> PropertyListValue

  var testDescription: String
  var text: String
  private var make: Maker

  /// - Parameters:
  ///   - name: What is special about it.
  ///   - text: The value in words: see `ObjectGraph.text(of:)`.
  ///   - make: Makes the object.
  init(_ name: String, _ text: String, _ make: @escaping Maker) {
    testDescription = name
    self.text = text
    self.make = make
  }

  /// An instance of a class with some keys.
  init(
    _ name: String, _ text: String, _ className: String,
    _ pairs: KeyValuePairs<String, PropertyListValue>
  ) {
    let pairs = pairs.map { KeyValue($0.key, $0.value) }
    self.init(name, text) { $0.instance(of: className, pairs) }
  }

  /// An instance of a class with some keys, named after them.
  init(_ text: String, _ className: String, _ pairs: KeyValuePairs<String, PropertyListValue>) {
    let keys = pairs.map(\.key).joined(separator: ", ")
    self.init("\(className)(\(keys)) as \(text)", text, className, pairs)
  }

  /// The value of the object, behind the key `root` of `$top`, and a reader that has read it.
  func read() throws -> (text: String, reader: any ObjectGraph) {
    try read(try KeyedArchive(bytes: KeyedArchiveBuilder.archive(make).binary()))
  }

  /// The same from the compiled nib of the object.
  func readAsNib() throws -> (text: String, reader: any ObjectGraph) {
    let archive = try KeyedArchive(bytes: KeyedArchiveBuilder.archive(make).binary())
    return try read(try KeyedArchive(bytes: NibWriter.nib(of: archive)))
  }

  private func read(_ archive: KeyedArchive) throws -> (text: String, reader: any ObjectGraph) {
    let reader = archive.makeGraph(GraphOptions(readsFoundationValues: false))
    let root = try #require(archive.roots.first)
    return (try reader.text(of: try reader.value(of: root)), reader)
  }
}
