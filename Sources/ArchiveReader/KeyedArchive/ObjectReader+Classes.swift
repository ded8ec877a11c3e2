/// Shapes and classes that are met for the first time.
extension ObjectReader {
  /// Adds the shape of a run of keys that is not known yet.
  mutating func newShape(of keys: NodeRun) -> Int {
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
    shapeCache.insertLast(of: shapes, table)
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
    let record = try classRecord(uid)
    let id = ClassID(index: classes.count)
    classes.append(
      ClassRecord(
        name: record.name, hierarchy: record.hierarchy, hints: record.hints,
        known: knownClass(record)))
    classIDs[uid] = id
    return id
  }

  private mutating func classRecord(_ uid: Int) throws(ArchiveError) -> ReaderLibrary.Class {
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
    var texts: [UInt8] = []
    texts.append(name, in: table)
    let hierarchy = try names(value("$classes"), under: "$classes", of: uid, &texts)
    let hints = try names(value("$classhints"), under: "$classhints", of: uid, &texts)
    if let known = library?.classRecord(texts) { return known }
    let nameText = table.string(name)
    let record = ReaderLibrary.Class(
      name: nameText, hierarchy: hierarchy.map(table.string), hints: hints.map(table.string),
      known: KnownClass(archivedName: nameText))
    library?.keep(record, texts)
    return record
  }

  /// The names in an array of a class record, none where there is no array.
  private mutating func names(
    _ value: NodeValue?, under key: String, of uid: Int, _ texts: inout [UInt8]
  ) throws(ArchiveError) -> [Text] {
    guard let value else {
      texts.append(count: 0)
      return []
    }
    func damaged() -> ArchiveError {
      ArchiveError(.badClassHierarchy, at: .object(uid, key: key))
    }
    guard case .array(let run) = value else { throw damaged() }
    texts.append(count: run.count)
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
      texts.append(text, in: table)
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
