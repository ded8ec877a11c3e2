import Foundation
import GraphCore

/// A source of objects that are written down in a program.
///
/// It stands for every source that is not a keyed archive: what holds for it holds for whatever
/// keeps the laws of `checkGraph`. Its bytes are overwritten when it is closed, so that whoever
/// keeps a value longer than its source is caught.
package final class MemorySource: GraphSource {
  /// A value under a key of an object, or an element of a collection.
  package indirect enum Value: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case wideInteger(Int128)
    case real(Double)
    /// Seconds since 2001-01-01 UTC.
    case date(Double)
    case text(String)
    /// Text that may have unpaired surrogates.
    case utf16([UInt16])
    case data([UInt8])
    case uuid(UUID)
    case decimal(ArchivedDecimal)
    case url(String)
    case nsNull
    /// A class as a value, by its place among the classes.
    case className(Int)
    /// The object with a number.
    case object(Int)
    case array([Value])
    case set([Value])
    case orderedSet([Value])
    case dictionary([(key: Value, value: Value)])
    case countedSet([(key: Value, value: Value)])
  }

  /// An object: a class, and values under keys.
  package struct Object: Sendable {
    /// The place of its class among the classes.
    package var `class`: Int
    package var pairs: [(key: String, value: Value)]
    /// The value that it is, if it is of one of Foundation's other classes.
    package var foundationValue: FoundationValue?

    package init(_ class: Int, _ pairs: KeyValuePairs<String, Value>) {
      self.class = `class`
      self.pairs = pairs.map { ($0.key, $0.value) }
    }

    /// A value of one of Foundation's other classes.
    package init(_ class: Int, _ value: FoundationValue) {
      self.class = `class`
      pairs = []
      foundationValue = value
    }
  }

  package let classRecords: [ClassRecord]
  let objects: [StoredObject]
  let rootValues: [StoredValue]
  let collections: [StoredCollection]
  package let roots: [GraphRoot]
  package let byteCount: Int
  package let valueCount: Int
  private let bytes: Bytes

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - classes: The classes, by their names and those of their superclasses, each class first.
  ///   - objects: The objects, by their numbers.
  ///   - roots: The names under which the source holds values.
  package init(
    classes: [[String]], objects: [Object], roots: KeyValuePairs<String, Value>
  ) {
    var builder = Builder()
    classRecords = classes.map { names in
      ClassRecord(
        name: names.first ?? "", hierarchy: names, hints: [],
        known: names.first.flatMap(KnownClass.init(archivedName:)))
    }
    let stored = objects.map { object in
      StoredObject(
        class: object.class, keys: object.pairs.map(\.key),
        values: object.pairs.map { builder.store($0.value) },
        foundationValue: object.foundationValue)
    }
    let held = roots.map { builder.store($0.value) }
    self.objects = stored
    rootValues = held
    self.roots = zip(roots, held).enumerated().map { index, root in
      GraphRoot(key: root.0.key, index: index, isReference: root.1.reference != nil)
    }
    collections = builder.collections
    valueCount = builder.valueCount + objects.count
    bytes = Bytes(builder.bytes)
    byteCount = bytes.count
  }

  package var format: SourceFormat { .memory }
  package var archiver: String { "MemorySource" }
  package var version: Int64 { 1 }
  package var residentBytes: Int { byteCount }
  package var objectCount: Int { objects.count }
  package var forbiddenCharacters: Int { 0 }
  package var losses: [ArchiveError] { [] }

  package func check() throws(ArchiveError) {}
  package func explained(_ error: ArchiveError) -> ArchiveError { error }
  package func makeGraph(_ options: GraphOptions) -> any ObjectGraph { Graph(self, options) }

  /// The bytes of a text or a data value, valid as long as the source.
  func borrowed(_ range: Range<Int>) -> BorrowedBytes { bytes.borrowed(range) }
}
