// The shapes and classes of objects.
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
