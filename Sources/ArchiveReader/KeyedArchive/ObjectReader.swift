/// Reads the objects of an archive, one at a time, and follows references to values.
///
/// A reader remembers shapes and classes, which makes the next object of a class cheap; it is used
/// by one task at a time. It never decodes an object for being referred to: `value(of:)` tells
/// which object it is and no more, so cycles and long lists cost no stack.
package struct ObjectReader {
  package private(set) var archive: KeyedArchive
  package private(set) var table: NodeTable
  package internal(set) var classes: [ClassRecord] = []
  /// The classes that were met in this archive, in the order in which they were.
  package internal(set) var metClasses: [ClassID] = []
  package internal(set) var shapes: [Shape] = []
  /// The part of each shape that is needed for each object.
  var heads: [Shape.Head] = []
  /// Classes of known names with an object that has no form of the class.
  ///
  /// Such an object is read as one with keys of its own; all others of the class stay values.
  package private(set) var nonconformingClasses: Set<ClassID> = []

  let limits: ReadingLimits
  private var salvage: KeyedArchive.Salvage?
  /// True if entry 0 is the one for nil, as always but in damaged archives and in nibs.
  private(set) var zeroIsNull: Bool
  let classesReadAsObjects: Set<String>
  let foundationValues: Bool
  let library: SharedShapes?
  var shapeCache = ShapeCache()
  var classIDs: [Int: ClassID] = [:]
  /// The shapes and class records of archives before, where a reader goes from one to the other.
  var known: ShapeInterner?
  /// The texts of the shape or class record that is being looked for.
  var texts = ShapeInterner.Texts()
  var reachedEntries: ReachedEntries?
  var foundationCache = FoundationCache()

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - limits: The limits on following chains of references.
  ///   - classesReadAsObjects: Names of classes whose objects are read as objects with keys of
  ///     their own even if they are known.
  ///   - foundationValues: True if objects of Foundation's other classes, such as colours, are read
  ///     as values, too: see `FoundationValue`.
  ///   - library: The shapes shared with the readers of other archives.
  ///   - isReused: True if other archives are to follow: see `reset(to:)`.
  package init(
    _ archive: KeyedArchive, limits: ReadingLimits = .standard,
    classesReadAsObjects: Set<String> = [],
    foundationValues: Bool = false, library: SharedShapes? = nil, isReused: Bool = false
  ) {
    self.archive = archive
    known = isReused ? ShapeInterner() : nil
    self.library = library
    self.limits = limits
    salvage = archive.salvage
    self.classesReadAsObjects = classesReadAsObjects
    self.foundationValues = foundationValues
    table = archive.table
    zeroIsNull = Self.zeroIsNull(in: archive)
  }

  private static func zeroIsNull(in archive: KeyedArchive) -> Bool {
    let table = archive.table
    return archive.objectCount > 0 && table.string(at: table[archive.objects, 0]) == "$null"
  }

  /// True if so much was met that a reader should start over rather than go on.
  package var isFull: Bool { known?.isFull ?? true }

  /// Goes on with another archive.
  ///
  /// Shapes and classes keep their numbers: archives of one program have the same, and what is
  /// known of a number holds for the next archive too. What is kept of the archives before is
  /// bounded if nobody goes on with a reader that is full.
  package mutating func reset(to archive: KeyedArchive) {
    self.archive = archive
    salvage = archive.salvage
    table = archive.table
    zeroIsNull = Self.zeroIsNull(in: archive)
    known?.beginArchive()
    shapeCache.removeAll()
    classIDs.removeAll(keepingCapacity: true)
    metClasses.removeAll(keepingCapacity: true)
    nonconformingClasses = []
    foundationCache = FoundationCache()
    if reachedEntries != nil { noteReachedEntries() }
  }

  // MARK: Objects

  /// The object at a UID whose value is `.object` or a collection with numbered keys.
  package mutating func object(_ uid: Int) throws(ArchiveError) -> GraphObject {
    guard let (keys, values) = table.dictionary(at: table.offset(of: try entry(uid))) else {
      throw ArchiveError(.badObject, at: .object(uid, key: nil))
    }
    let shape = shape(of: keys)
    if heads[shape].hasRepeatedKey, let key = shapes[shape].repeatedKey {
      throw ArchiveError(.repeatedKey, at: .object(uid, key: key))
    }
    return GraphObject(
      uid: uid, class: try classID(of: uid, shape: shape, values: values), shape: shape,
      keyCount: values.count, location: values.offset)
  }

  /// The value under the key at a position of an object's shape.
  package mutating func value(
    of object: GraphObject, at position: Int
  ) throws(ArchiveError) -> GraphValue {
    do throws(ArchiveError) {
      return try value(of: node(of: object, at: position))
    } catch {
      throw error.placed(at: .object(object.uid, key: shapes[object.shape].keys[position]))
    }
  }

  /// The values of an object, in the order of its shape's keys; nil in the place of its class.
  mutating func values(
    of object: GraphObject, into values: inout MutableSpan<GraphValue>
  ) throws(ArchiveError) {
    let run = self.values(of: object)
    let classPosition = heads[object.shape].classPosition
    // Copies, which what is written to the caller's memory cannot change.
    let (table, entries, isWhole) = (table, archive.objects, salvage == nil)
    var position = 0
    do throws(ArchiveError) {
      while position < run.count {
        let node = table[run, position]
        let offset = table.offset(of: node)
        if position == classPosition {
          values[position] = .null
        } else if let uid = table.uid(at: offset) {
          // Most are texts.
          if isWhole, uid > 0, uid < entries.count,
            let text = table.text(at: table.offset(of: table[entries, uid])),
            !Self.isNull(text, table)
          {
            reachedEntries?.note(uid)
            values[position] = .text(table.borrowed(text))
          } else {
            values[position] = try value(ofObject: uid)
          }
        } else {
          values[position] = graphValue(table.value(at: offset), of: .inline(node.index))
        }
        position += 1
      }
    } catch {
      throw error.placed(at: .object(object.uid, key: shapes[object.shape].keys[position]))
    }
  }

  /// The object that is referred to under the key at a position; nil where that is no reference.
  ///
  /// As others here it changes nothing: a reader that may be changed is not copied for the call.
  mutating func reference(of object: GraphObject, at position: Int) -> Int? {
    guard let uid = table.uid(at: table.offset(of: node(of: object, at: position))),
      uid < archive.objectCount, salvage?.lostEntries.contains(uid) != true
    else { return nil }
    return uid
  }

  /// The node under the key at a position of an object's shape.
  @inline(__always)
  func node(of object: GraphObject, at position: Int) -> Node {
    table[values(of: object), position]
  }

  /// The values of an object, in the order of its shape's keys.
  func values(of object: GraphObject) -> Node.Run {
    Node.Run(offset: object.location, count: object.keyCount)
  }

  /// The position of a key in an object's shape; nil if the shape does not have it.
  package func position(of key: String, in object: GraphObject) -> Int? {
    shapes[object.shape].keys.firstIndex(of: key)
  }

  /// Reads the objects of a class as those of a known one, whatever name the archive gives it.
  package mutating func read(_ id: ClassID, as known: KnownClass) {
    classes[id.index].known = known
    for shape in heads.indices { heads[shape].kind = nil }
  }

  // MARK: Values

  /// The value that a top-level key holds.
  package mutating func value(
    of entry: KeyedArchive.TopLevelEntry
  ) throws(ArchiveError) -> GraphValue {
    guard let stray = entry.stray else { return try value(of: entry.node) }
    return try value(ofObject: stray)
  }

  /// The value that a node stands for.
  package mutating func value(of node: Node) throws(ArchiveError) -> GraphValue {
    let offset = table.offset(of: node)
    if let uid = table.uid(at: offset) { return try value(ofObject: uid) }
    return graphValue(table.value(at: offset), of: .inline(node.index))
  }

  /// The value that a reference to an entry of `$objects` stands for.
  package mutating func value(ofObject uid: Int) throws(ArchiveError) -> GraphValue {
    try value(ofObject: uid, isChecked: true)
  }

  /// As `value(ofObject:)`; if not checked, an object of a class of `FoundationValue` is taken for
  /// one without a look at its parts.
  mutating func value(
    ofObject uid: Int, isChecked: Bool
  ) throws(ArchiveError) -> GraphValue {
    if uid == 0, zeroIsNull { return .null }
    if let salvage, uid >= archive.objectCount || salvage.lostEntries.contains(uid) { return .null }
    var uid = uid
    for _ in 0..<limits.chain {
      let offset = table.offset(of: try entry(uid))
      // Most are texts and objects.
      if let text = table.text(at: offset) {
        return isNull(text) ? .null : .text(table.borrowed(text))
      }
      if let (keys, values) = table.dictionary(at: offset) {
        return try value(ofDictionary: uid, keys: keys, values: values, isChecked: isChecked)
      }
      if let next = table.uid(at: offset) {
        uid = next
        continue
      }
      return graphValue(table.value(at: offset), of: .object(uid))
    }
    throw limits.exceeded(.chain, at: .object(uid, key: nil))
  }

  /// A value that stands where it is used, or as a bare entry of `$objects`.
  private func graphValue(_ value: Node.Value, of id: CollectionID) -> GraphValue {
    switch value {
    case .null, .uid: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .wideInteger(let offset):
      .wideInteger(GraphValue.WideInteger(table.wideInteger(at: offset)))
    case .real(let value): .real(value)
    case .date(let seconds): .date(seconds)
    case .data(let range): .data(table.borrowed(range))
    case .text(let text): .text(table.borrowed(text))
    case .array: .collection(id, .array)
    case .set: .collection(id, .set)
    case .dictionary: .collection(id, .dictionary)
    }
  }

  private mutating func value(
    ofDictionary uid: Int, keys: Node.Run, values: Node.Run, isChecked: Bool
  ) throws(ArchiveError) -> GraphValue {
    let shape = shape(of: keys)
    guard heads[shape].classPosition >= 0 else {
      // A class record that something refers to is a class encoded as a value; any other
      // dictionary without a class is a plain one.
      guard shapes[shape].keys.contains("$classname") else {
        return .collection(.object(uid), .dictionary)
      }
      return .className(try classID(ofRecord: uid))
    }
    let id = try classID(of: uid, shape: shape, values: values)
    var form: ValueForm
    switch heads[shape].kind ?? findKind(of: shape, id) {
    case .object: return .object(uid: uid, class: id)
    case .foundation:
      if !isChecked { return .foundation(uid: uid, class: id) }
      if try foundationValue(uid) != nil { return .foundation(uid: uid, class: id) }
      nonconformingClasses.insert(id)
      return .object(uid: uid, class: id)
    case .value(let found): form = found
    }
    guard let known = classes[id.index].known else { return .object(uid: uid, class: id) }
    if case .unfit = form { form = lenientForm(of: shape, for: known, values) }
    do throws(ArchiveError) {
      if let value = try value(ofKnown: known, form, uid, values) { return value }
    } catch {
      // The dangling reference is under a key of this object, not of the one that refers to it.
      let key = (0..<values.count).first { position in
        table.uid(of: table[values, position]).map { $0 >= archive.objectCount } ?? false
      }
      throw error.placed(at: .object(uid, key: key.map { shapes[shape].keys[$0] }))
    }
    nonconformingClasses.insert(id)
    return .object(uid: uid, class: id)
  }

  // MARK: Entries, shapes and classes

  /// The node of an entry of `$objects`.
  @inline(__always)
  package func entry(_ uid: Int) throws(ArchiveError) -> Node {
    guard uid >= 0, uid < archive.objectCount else {
      throw ArchiveError(.danglingReference, name: "\(uid)")
    }
    reachedEntries?.note(uid)
    return table[archive.objects, uid]
  }

  /// True if a text stands for nil.
  ///
  /// It does so at any place in `$objects`: real archives hold it more than once.
  @inline(__always)
  func isNull(_ text: Text) -> Bool { Self.isNull(text, table) }

  @inline(__always)
  private static func isNull(_ text: Text, _ table: NodeTable) -> Bool {
    guard text.bytes.count == 5, case .utf8 = text.encoding else { return false }
    let bytes = unsafe table.bytes(text.bytes)
    return unsafe bytes[0] == 0x24 && bytes.elementsEqual("$null".utf8)
  }

  /// True if a node refers to an entry that stands for nil.
  @inline(__always)
  func isNull(_ node: Node) -> Bool {
    guard let uid = table.uid(of: node), let entry = try? entry(uid),
      let text = table.text(at: table.offset(of: entry))
    else { return false }
    return isNull(text)
  }
}
