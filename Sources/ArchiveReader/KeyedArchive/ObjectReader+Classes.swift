// The shapes and classes of objects.
/// Shapes and classes that are met for the first time.
extension ObjectReader {
  /// Adds the shape of a run of keys that is not known yet.
  mutating func newShape(of keys: Node.Run) -> Int {
    if known != nil { return knownShape(of: keys) }
    let index: Int
    if let library {
      let texts = texts(of: keys)
      if let known = library.shape(texts) {
        index = add(Shape(known, representative: keys))
      } else {
        index = add(Shape(keys: names(of: keys), representative: keys))
        library.keep(shapes[index], texts)
      }
    } else {
      index = add(Shape(keys: names(of: keys), representative: keys))
    }
    shapeCache.insert(index, keys, table)
    return index
  }

  /// The shape of a run of keys that may have been met in an archive before.
  private mutating func knownShape(of keys: Node.Run) -> Int {
    texts.removeAll()
    for position in 0..<keys.count {
      // All keys are texts: see `PropertyList.BinaryChecker`.
      guard let text = table.text(at: table.offset(of: table[keys, position])) else { continue }
      texts.texts.append(text)
    }
    if let index = known?.shape(texts, table) {
      reset(shape: index, to: keys)
      shapeCache.insert(index, keys, table)
      return index
    }
    let index = add(Shape(keys: names(of: keys), representative: keys))
    shapeCache.insert(index, keys, table)
    known?.add(shape: index, texts, table)
    return index
  }

  private func names(of keys: Node.Run) -> [String] {
    (0..<keys.count).map { table.name(at: table[keys, $0]) ?? "" }
  }

  /// The texts of keys, as a library knows them.
  func texts(of keys: Node.Run) -> [UInt8] {
    var texts: [UInt8] = []
    texts.reserveCapacity(32 * keys.count)
    for position in 0..<keys.count {
      // All keys are texts: see `PropertyList.BinaryChecker`.
      guard let text = table.text(at: table.offset(of: table[keys, position])) else { return [] }
      texts.append(text, in: table)
    }
    return texts
  }

  /// The form of an object whose shape has keys that no form of its class has: one of the class if
  /// there is nothing but nil under those keys.
  func lenientForm(of shape: Int, for known: KnownClass, _ values: Node.Run) -> ValueForm {
    guard let lenient = shapes[shape].lenientForm(for: known),
      lenient.unknownKeys.allSatisfy({ isNull(table[values, $0]) })
    else { return .unfit }
    return lenient.form
  }

  /// The class that a class record describes.
  mutating func classID(ofRecord uid: Int) throws(ArchiveError) -> ClassID {
    if let id = classIDs[uid] { return id }
    try takeNames(ofClass: uid)
    let id: ClassID
    if let (index, wasMet) = known?.classRecord(texts, table) {
      id = ClassID(index: index)
      if !wasMet { metClasses.append(id) }
    } else {
      id = add(classRecord())
      metClasses.append(id)
      known?.add(class: id.index, texts, table)
    }
    classIDs[uid] = id
    return id
  }

  private mutating func add(_ record: SharedShapes.Class) -> ClassID {
    classes.append(
      ClassRecord(
        name: record.name, hierarchy: record.hierarchy, hints: record.hints,
        known: knownClass(record)))
    return ClassID(index: classes.count - 1)
  }

  /// Takes the texts of a class record: its name, the hierarchy up to the mark, the hints after it.
  private mutating func takeNames(ofClass uid: Int) throws(ArchiveError) {
    guard let (keys, values) = table.dictionary(at: table.offset(of: try entry(uid))) else {
      throw ArchiveError(.noClassRecord)
    }
    let shape = shape(of: keys)
    let places = shapes[shape].classKeys
    guard let name = places?.name,
      let text = table.text(at: table.offset(of: table[values, name]))
    else {
      throw ArchiveError(.noClassName, at: .object(uid, key: "$classname"))
    }
    texts.removeAll()
    texts.texts.append(text)
    if let place = places?.hierarchy {
      try takeNames(table.value(of: table[values, place]), under: "$classes", of: uid)
    }
    texts.mark = texts.texts.count
    if let place = places?.hints {
      try takeNames(table.value(of: table[values, place]), under: "$classhints", of: uid)
    }
  }

  /// Takes the names in an array of a class record.
  private mutating func takeNames(
    _ value: Node.Value, under key: String, of uid: Int
  ) throws(ArchiveError) {
    func damaged() -> ArchiveError {
      ArchiveError(.badClassHierarchy, at: .object(uid, key: key))
    }
    guard case .array(let run) = value else { throw damaged() }
    for position in 0..<run.count {
      let found: Text?
      do throws(ArchiveError) {
        found = try plainText(of: table[run, position])
      } catch {
        throw error.placed(at: .object(uid, key: key))
      }
      guard let found else { throw damaged() }
      texts.texts.append(found)
    }
  }

  /// The class record that the texts make, as the library has it.
  private func classRecord() -> SharedShapes.Class {
    guard let library else { return newClassRecord() }
    var bytes: [UInt8] = []
    bytes.append(count: texts.mark)
    for text in texts.texts { bytes.append(text, in: table) }
    if let known = library.classRecord(bytes) { return known }
    let record = newClassRecord()
    library.keep(record, bytes)
    return record
  }

  private func newClassRecord() -> SharedShapes.Class {
    let names = texts.texts.map { ArchivedName.text(table.string($0)) }
    return SharedShapes.Class(
      name: names[0], hierarchy: Array(names[1..<texts.mark]), hints: Array(names[texts.mark...]),
      known: KnownClass(archivedName: names[0]))
  }

  /// The class as this reader takes it: here alone it is decided whether values of Foundation's
  /// other classes are read.
  private func knownClass(_ record: SharedShapes.Class) -> KnownClass? {
    guard let known = record.known, !classesReadAsObjects.contains(record.name) else { return nil }
    if case .foundation = known, !foundationValues { return nil }
    return known
  }
}

extension ObjectReader {
  @inline(__always)
  mutating func shape(of keys: Node.Run) -> Int {
    shapeCache.find(table.view(keys), in: shapes, table) ?? newShape(of: keys)
  }

  @inline(__always)
  mutating func classID(
    of uid: Int, shape: Int, values: Node.Run
  ) throws(ArchiveError) -> ClassID {
    let head = heads[shape]
    guard head.classPosition >= 0, let record = table.uid(of: table[values, head.classPosition])
    else { throw ArchiveError(.noClassRecord, at: .object(uid, key: "$class")) }
    if head.lastRecord == record { return head.lastClass }
    return try classID(of: uid, shape: shape, record: record)
  }

  mutating func classID(
    of uid: Int, shape: Int, record: Int
  ) throws(ArchiveError) -> ClassID {
    do throws(ArchiveError) {
      let id = try classID(ofRecord: record)
      heads[shape].noteClass(id, record: record)
      return id
    } catch {
      throw error.placed(at: .object(uid, key: "$class"))
    }
  }

  /// Adds a shape; returns its number.
  mutating func add(_ shape: Shape) -> Int {
    shapes.append(shape)
    heads.append(Shape.Head(shape))
    return shapes.count - 1
  }

  /// Takes a shape for one of another archive, where a run of key references has it.
  mutating func reset(shape: Int, to representative: Node.Run) {
    shapes[shape].representative = representative
    heads[shape] = Shape.Head(shapes[shape])
  }

  /// Finds how a shape holds the value of a known class.
  mutating func findForm(of shape: Int, for known: KnownClass) -> ValueForm {
    let form = shapes[shape].findForm(for: known)
    library?.keep(shapes[shape], texts(of: shapes[shape].representative))
    return form
  }

  /// Finds the kind of objects of a shape and of the class met last with it.
  mutating func findKind(of shape: Int, _ id: ClassID) -> Shape.Head.Kind {
    let kind: Shape.Head.Kind =
      switch classes[id.index].known {
      case nil: .object
      case .foundation: .foundation
      case .some(let known):
        .value(shapes[shape].form(for: known) ?? findForm(of: shape, for: known))
      }
    heads[shape].kind = kind
    return kind
  }
}
