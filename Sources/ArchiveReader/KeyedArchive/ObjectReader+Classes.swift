/// Shapes and classes that are met for the first time.
extension ObjectReader {
  /// Adds the shape of a run of keys that is not known yet.
  mutating func newShape(of keys: NodeRun) -> Int {
    if known != nil { return knownShape(of: keys) }
    if let library {
      let texts = texts(of: keys)
      if let known = library.shape(texts) {
        shapes.append(Shape(known, representative: keys))
      } else {
        shapes.append(Shape(keys: names(of: keys), representative: keys))
        library.keep(shapes[shapes.count - 1], texts)
      }
    } else {
      shapes.append(Shape(keys: names(of: keys), representative: keys))
    }
    shapeCache.insert(shapes.count - 1, keys, table)
    return shapes.count - 1
  }

  /// The shape of a run of keys that may have been met in an archive before.
  private mutating func knownShape(of keys: NodeRun) -> Int {
    known?.beginQuery()
    for position in 0..<keys.count {
      // All keys are texts: see `BinaryObjectChecker`.
      guard let text = table.text(at: table.offset(of: table[keys, position])) else { continue }
      known?.ask(text)
    }
    if let number = known?.shape(table) {
      shapes[number].goOn(with: keys)
      shapeCache.insert(number, keys, table)
      return number
    }
    shapes.append(Shape(keys: names(of: keys), representative: keys))
    shapeCache.insert(shapes.count - 1, keys, table)
    known?.add(shape: shapes.count - 1, table)
    return shapes.count - 1
  }

  private func names(of keys: NodeRun) -> [String] {
    (0..<keys.count).map { table.string(at: table[keys, $0]) ?? "" }
  }

  /// The texts of keys, as a library knows them.
  private func texts(of keys: NodeRun) -> [UInt8] {
    var texts: [UInt8] = []
    texts.reserveCapacity(32 * keys.count)
    for position in 0..<keys.count {
      // All keys are texts: see `BinaryObjectChecker`.
      guard let text = table.text(at: table.offset(of: table[keys, position])) else { return [] }
      texts.append(text, in: table)
    }
    return texts
  }

  /// Finds how a shape holds the value of a known class.
  mutating func findForm(of shape: Int, for known: KnownClass) -> ValueForm {
    let form = shapes[shape].findForm(for: known)
    library?.keep(shapes[shape], texts(of: shapes[shape].representative))
    return form
  }

  /// The class that a class record describes.
  mutating func classID(ofRecord uid: Int) throws(ArchiveError) -> ClassID {
    if let id = classIDs[uid] { return id }
    let names = try namesOfClass(uid)
    let id: ClassID
    if known != nil {
      id = knownClassID(names)
    } else {
      id = add(classRecord(names))
      metClasses.append(id)
    }
    classIDs[uid] = id
    return id
  }

  private mutating func add(_ record: ReaderLibrary.Class) -> ClassID {
    classes.append(
      ClassRecord(
        name: record.name, hierarchy: record.hierarchy, hints: record.hints,
        known: knownClass(record)))
    return ClassID(index: classes.count - 1)
  }

  /// The number of a class that may have been met in an archive before.
  private mutating func knownClassID(_ names: ClassNames) -> ClassID {
    known?.beginQuery()
    known?.ask(names.name)
    for name in names.hierarchy { known?.ask(name) }
    known?.markQuery()
    for name in names.hints { known?.ask(name) }
    if let (number, wasMet) = known?.classRecord(table) {
      let id = ClassID(index: number)
      if !wasMet { metClasses.append(id) }
      return id
    }
    let id = add(record(names))
    metClasses.append(id)
    known?.add(class: id.index, table)
    return id
  }

  /// The texts of a class record.
  private struct ClassNames {
    var name: Text
    var hierarchy: [Text]
    var hints: [Text]
  }

  private mutating func namesOfClass(_ uid: Int) throws(ArchiveError) -> ClassNames {
    guard let (keys, values) = table.dictionary(at: table.offset(of: try entry(uid))) else {
      throw ArchiveError(.noClassRecord)
    }
    // As everywhere in the format, the first of equal keys counts.
    let shape = shapes[self.shape(of: keys)]
    func value(_ key: String) -> NodeValue? {
      shape.keys.firstIndex(of: key).map { table.value(of: table[values, $0]) }
    }
    guard case .text(let name) = value("$classname") else {
      throw ArchiveError(.noClassName, at: .object(uid, key: "$classname"))
    }
    return ClassNames(
      name: name,
      hierarchy: try names(value("$classes"), under: "$classes", of: uid),
      hints: try names(value("$classhints"), under: "$classhints", of: uid))
  }

  /// What a class record says, as the library has it.
  private func classRecord(_ names: ClassNames) -> ReaderLibrary.Class {
    guard let library else { return record(names) }
    var texts: [UInt8] = []
    texts.append(names.name, in: table)
    for list in [names.hierarchy, names.hints] {
      texts.append(count: list.count)
      for text in list { texts.append(text, in: table) }
    }
    if let known = library.classRecord(texts) { return known }
    let record = record(names)
    library.keep(record, texts)
    return record
  }

  private func record(_ names: ClassNames) -> ReaderLibrary.Class {
    let name = table.string(names.name)
    return ReaderLibrary.Class(
      name: name, hierarchy: names.hierarchy.map(table.string),
      hints: names.hints.map(table.string), known: KnownClass(archivedName: name))
  }

  /// The names in an array of a class record, none where there is no array.
  private func names(
    _ value: NodeValue?, under key: String, of uid: Int
  ) throws(ArchiveError) -> [Text] {
    guard let value else { return [] }
    func damaged() -> ArchiveError {
      ArchiveError(.badClassHierarchy, at: .object(uid, key: key))
    }
    guard case .array(let run) = value else { throw damaged() }
    var names: [Text] = []
    for position in 0..<run.count {
      let plain: NodeValue?
      do throws(ArchiveError) {
        plain = try plainValue(of: table[run, position])
      } catch {
        throw error.placed(at: .object(uid, key: key))
      }
      guard case .text(let text) = plain else { throw damaged() }
      names.append(text)
    }
    return names
  }

  /// The class as this reader takes it: here alone it is decided whether values of Foundation's other
  /// classes are read.
  private func knownClass(_ record: ReaderLibrary.Class) -> KnownClass? {
    guard let known = record.known, !opaqueClasses.contains(record.name) else { return nil }
    if case .foundation = known, !foundationValues { return nil }
    return known
  }
}
