import ArchiveWriter
import Support

/// A keyed archive that is written again, with some of its objects replaced and others added.
///
/// Objects keep their UIDs. Takes some bytes for each value of the archive, and no stack.
package struct ArchiveCopy {
  /// The forms in which it can be written.
  package enum Form: String, Sendable, CaseIterable {
    case binary
    case xml
  }

  /// A value: of the archive, or a new one.
  package enum Part: Sendable {
    case node(Node)
    /// A value that is not a container.
    case leaf(PropertyListValue)
    case array([Part])
    case dictionary([(key: Part, value: Part)])
    /// An object of a class with many: a value for each of its keys.
    case object(Keys, [Part])

    /// The reference to an object.
    package static func reference(_ uid: Int) -> Part {
      .leaf(.uid(UInt32(truncatingIfNeeded: uid)))
    }
  }

  /// The keys of the objects of a class, in their order.
  package final class Keys: Sendable {
    let texts: [Part]

    package init(_ texts: [Part]) { self.texts = texts }
  }

  package let archive: KeyedArchive
  /// The objects that are written in the place of others, by their UIDs.
  private var replaced: [Int: Part] = [:]
  /// The objects that follow those of the archive.
  private var added: [Part] = []
  /// The values under the top-level keys in the place of the archive's; nil if these stay.
  package var newTopLevel: [(key: Part, value: Part)]?
  /// The objects that follow all others, and are made whenever they are written.
  package var made: MadeObjects?

  /// Objects that are made whenever they are written, in two series, one in between the other.
  ///
  /// The number of the first ones is known before they are made, so that others can refer to them: one
  /// pass is enough to write them.
  package struct MadeObjects {
    /// The objects of one series or the other.
    package enum Series { case first, second }

    /// The number of objects of the first series, which follow those of the archive.
    package var firstCount: Int
    /// Makes the objects, those of each series in their order.
    package var make: (_ each: (Series, Part) throws -> Void) throws -> Void

    package init(
      firstCount: Int, make: @escaping (_ each: (Series, Part) throws -> Void) throws -> Void
    ) {
      (self.firstCount, self.make) = (firstCount, make)
    }
  }

  package init(_ archive: KeyedArchive) { self.archive = archive }

  /// The number of objects, but for those that are made when they are written.
  package var objectCount: Int { archive.objectCount + added.count }
  /// The number of objects that are known before they are written.
  var knownCount: Int { objectCount + (made?.firstCount ?? 0) }

  /// The content of an object.
  package subscript(uid: Int) -> Part {
    get {
      uid < archive.objectCount
        ? replaced[uid] ?? .node(archive.table[archive.objects, uid])
        : added[uid - archive.objectCount]
    }
    set {
      if uid < archive.objectCount {
        replaced[uid] = newValue
      } else {
        added[uid - archive.objectCount] = newValue
      }
    }
  }

  /// Adds an object; returns its UID.
  package mutating func add(_ part: Part) -> Int {
    added.append(part)
    return objectCount - 1
  }

  /// The entries of a dictionary; nil for anything else.
  package func entries(of part: Part) -> [(key: Part, value: Part)]? {
    switch part {
    case .dictionary(let entries): return entries
    case .object(let keys, let values):
      return zip(keys.texts, values).map { (key: $0, value: $1) }
    case .node(let node):
      guard case .dictionary(let keys, let values) = archive.table.value(of: node) else {
        return nil
      }
      return (0..<keys.count).map {
        (.node(archive.table[keys, $0]), .node(archive.table[values, $0]))
      }
    case .leaf, .array: return nil
    }
  }

  /// The elements of an array; nil for anything else.
  package func elements(of part: Part) -> [Part]? {
    switch part {
    case .array(let elements): return elements
    case .node(let node):
      guard case .array(let run) = archive.table.value(of: node) else { return nil }
      return (0..<run.count).map { .node(archive.table[run, $0]) }
    case .leaf, .dictionary, .object: return nil
    }
  }

  /// The object that a part refers to; nil if it is no reference.
  package func uid(of part: Part) -> Int? {
    switch part {
    case .leaf(.uid(let uid)): Int(uid)
    case .node(let node): archive.table.uid(of: node)
    case .leaf, .array, .dictionary, .object: nil
    }
  }

  /// A text, as `ArchivedName` has it; nil for anything else.
  package func name(_ part: Part) -> String? {
    switch part {
    case .leaf(.string(let text)): text
    case .node(let node): archive.table.name(at: node)
    case .leaf, .array, .dictionary, .object: nil
    }
  }

  /// True if the values of the frame are another encoding's: a keyed archive has its own.
  var needsFrame: Bool {
    switch archive.propertyList.format {
    case .binary, .xml: false
    case .nib, .typedstream: true
    }
  }

  /// The values under the top-level keys.
  package var topLevel: [(key: Part, value: Part)] {
    newTopLevel
      ?? archive.topLevel.map { (.leaf(.string(ArchivedName.plain($0.key))), .node($0.node)) }
  }

  /// The value of the frame under a key; nil if it is the archive's own.
  func framePart(_ key: Node) -> Part? {
    switch archive.table.name(at: key) {
    case "$archiver" where needsFrame: .leaf("NSKeyedArchiver")
    case "$version" where needsFrame: .leaf(100_000)
    case "$top": newTopLevel.map { .dictionary($0) }
    default: nil
    }
  }

  /// Writes the archive.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - flush: Takes bytes now and then, in their order.
  /// - Returns: The number of objects, that for nil included.
  /// - Throws: What `flush` throws; `PropertyListWritingError` if the form cannot express a value;
  ///   `ArchiveError` if there are too many.
  package func write(
    as form: Form, flush: @escaping ([UInt8]) throws -> Void
  ) throws -> Int {
    switch form {
    case .binary:
      var output = BinaryOutput(self, maxObjects: try maxWritten(), flush)
      return try output.write().objects
    case .xml:
      var output = XMLOutput(self, flush)
      return try output.write()
    }
  }

  /// A number of values that are not more than the binary form has, and for which references have
  /// the size that they need.
  private func maxWritten() throws -> Int {
    // To make many objects takes longer than a reference that is a byte longer is worth.
    if let made, made.firstCount > Int(UInt16.max) { return maxValues }
    // Each value of a binary archive is written once at most.
    if archive.propertyList.format == .binary, replaced.isEmpty, added.isEmpty, made == nil,
      newTopLevel == nil
    {
      let most = archive.table.count + objectCount + Self.frameCount
      let least = objectCount
      if BinaryPropertyListStream.referenceSize(for: most)
        == BinaryPropertyListStream.referenceSize(for: least)
      {
        return most
      }
    }
    var counter = BinaryOutput(self, maxObjects: 0) { _ in }
    return try counter.write().values
  }

  /// The number of values of a frame, keys included.
  private static let frameCount = 16

  /// An upper bound on the values of what is written: those that others share may be written for each.
  var maxValues: Int {
    let most = Int(UInt32.max) - 1
    guard made == nil else { return most }
    let values = max(archive.table.count, archive.propertyList.byteCount) + objectCount
    return min(ExpansionBudget.product(values + replaced.count + added.count, 16), most)
  }
}

/// The number of bytes that are written at once.
let copyChunk = 1 << 20
