import Foundation

/// The keys of an archived object, in the order of the file.
///
/// Objects of one class mostly have the same keys in the same order, and a property list writes
/// each key once: their runs of key references are equal byte for byte. So keys are looked up once
/// for each shape rather than once for each object.
package struct Shape: Sendable {
  /// The keys as archived, `$class` included.
  package let keys: [String]
  /// The position of `$class` among them; nil if it is absent.
  package let classPosition: Int?
  /// A key that stands among them twice, if there is one.
  let repeatedKey: String?
  /// The positions of the keys of a class record, if it is the shape of one.
  let classKeys: (name: Int, hierarchy: Int?, hints: Int?)?
  /// A run of key references that has this shape.
  var representative: Node.Run
  /// The forms in which objects of known classes hold their value in this shape.
  private(set) var forms: [(class: KnownClass, form: ValueForm, lenient: ValueForm.Lenient?)] = []
  /// The positions of numbered keys ("NS.object.0"), in the order of their numbers.
  private(set) var numberedKeys: [Int] = []
  private(set) var numberedValues: [Int] = []

  init(keys: [String], representative: Node.Run) {
    self.keys = keys
    self.representative = representative
    classPosition = keys.firstIndex(of: "$class")
    // As everywhere in the format, the first of equal keys counts.
    classKeys = keys.firstIndex(of: "$classname").map { name in
      (name, keys.firstIndex(of: "$classes"), keys.firstIndex(of: "$classhints"))
    }
    var seen: Set<String> = []
    repeatedKey = keys.first { !seen.insert($0).inserted }
  }

  /// The same shape in another archive.
  init(_ shape: Shape, representative: Node.Run) {
    self = shape
    self.representative = representative
  }

  func form(for known: KnownClass) -> ValueForm? {
    for entry in forms where entry.class == known { return entry.form }
    return nil
  }

  /// The form that objects of a known class have if they hold nil under the keys that are unknown.
  func lenientForm(for known: KnownClass) -> ValueForm.Lenient? {
    for entry in forms where entry.class == known { return entry.lenient }
    return nil
  }

  mutating func findForm(for known: KnownClass) -> ValueForm {
    if let form = form(for: known) { return form }
    let finder = ValueForm.Finder(shapeKeys: keys)
    let form = finder.form(of: known)
    var lenient: ValueForm.Lenient?
    if case .unfit = form { lenient = finder.lenientForm(of: known) }
    switch (form, lenient?.form) {
    case (.numbered, _), (_, .numbered):
      (numberedKeys, numberedValues) = finder.numberedPositions(of: known)
    default: break
    }
    forms.append((known, form, lenient))
    return form
  }
}

extension Shape {
  /// The part of a shape needed for each object: small, and copied without counting references.
  struct Head: BitwiseCopyable {
    /// The kinds of objects of a shape and a class.
    enum Kind: BitwiseCopyable {
      case object
      case foundation
      case value(ValueForm)
    }

    /// The position of `$class` among the keys; -1 if it is absent.
    let classPosition: Int
    let hasRepeatedKey: Bool
    /// The class record met last with this shape, by its UID, and its class: shapes rarely have
    /// two.
    private(set) var lastRecord = -1
    private(set) var lastClass = ClassID(index: -1)
    /// The kind of the objects of that class; nil as long as nobody has looked.
    var kind: Kind?

    init(_ shape: Shape) {
      classPosition = shape.classPosition ?? -1
      hasRepeatedKey = shape.repeatedKey != nil
    }

    mutating func noteClass(_ id: ClassID, record: Int) {
      (lastRecord, lastClass, kind) = (record, id, nil)
    }
  }
}

extension ObjectReader {
  /// Finds the shape of an object from its run of key references.
  struct ShapeCache: Sendable {
    private var table = InternTable()
    /// For each length of a run, the shape found last: mostly the next one too.
    private var lastWithLength: [Int32] = Array(repeating: -1, count: 64)

    mutating func find(
      _ run: BorrowedBytes, in shapes: [Shape], _ nodes: NodeTable
    ) -> Int? {
      let guess = Int(lastWithLength[run.count & 63])
      if guess >= 0, run.hasSameBytes(as: nodes.view(shapes[guess].representative)) { return guess }
      let found = table.index(InternTable.hash(run)) { index in
        run.hasSameBytes(as: nodes.view(shapes[Int(index)].representative))
      }
      guard let found else { return nil }
      lastWithLength[run.count & 63] = Int32(found)
      return Int(found)
    }

    /// Adds a shape by its index.
    mutating func insert(_ index: Int, _ representative: Node.Run, _ nodes: NodeTable) {
      table.insert(
        InternTable.hash(nodes.view(representative)), UInt32(truncatingIfNeeded: index))
    }

    /// Forgets everything.
    mutating func removeAll() {
      table.removeAll()
      for length in lastWithLength.indices { lastWithLength[length] = -1 }
    }
  }
}
