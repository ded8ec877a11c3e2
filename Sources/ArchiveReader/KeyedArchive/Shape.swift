import Foundation

/// The keys of an archived object, in the order of the file.
///
/// Objects of one class mostly have the same keys in the same order, and a property list writes
/// each key once: their runs of key references are equal byte for byte. So keys are looked up once
/// for each shape rather than once for each object.
package struct Shape: Sendable {
  /// The keys as archived, `$class` included.
  package let keys: [String]
  /// Where `$class` stands among them, if it does.
  package let classPosition: Int?
  /// A key that stands among them twice, if there is one.
  let repeatedKey: String?
  /// A run of key references that has this shape.
  private(set) var representative: NodeRun
  /// The class record met last with this shape, by its UID, and its class: shapes rarely have two.
  var lastRecord = -1
  var lastClass = ClassID(index: -1)
  /// How the objects of known classes hold their value in this shape.
  private(set) var forms: [(class: KnownClass, form: ValueForm)] = []
  /// The positions of numbered keys ("NS.object.0"), in the order of their numbers.
  private(set) var numberedKeys: [Int] = []
  private(set) var numberedValues: [Int] = []

  init(keys: [String], representative: NodeRun) {
    self.keys = keys
    self.representative = representative
    classPosition = keys.firstIndex(of: "$class")
    var seen: Set<String> = []
    repeatedKey = keys.first { !seen.insert($0).inserted }
  }

  /// The same shape in another archive.
  init(_ shape: Shape, representative: NodeRun) {
    self = shape
    self.representative = representative
    lastRecord = -1
  }

  func form(for known: KnownClass) -> ValueForm? {
    for entry in forms where entry.class == known { return entry.form }
    return nil
  }

  mutating func findForm(for known: KnownClass) -> ValueForm {
    if let form = form(for: known) { return form }
    let finder = ValueFormFinder(shapeKeys: keys)
    let form = finder.form(of: known)
    if case .numbered = form {
      (numberedKeys, numberedValues) = finder.numberedPositions(of: known)
    }
    forms.append((known, form))
    return form
  }
}

/// Finds the shape of an object from its run of key references.
struct ShapeCache: Sendable {
  private var slots: [Int32] = Array(repeating: -1, count: 64)
  private var count = 0
  /// For each length of a run, the shape found last: mostly the next one too.
  private var lastWithLength: [Int32] = Array(repeating: -1, count: 64)
  /// Differs from run to run, so that no file can be made to collide.
  private static let seed = UInt64.random(in: .min ... .max) | 1

  mutating func find(
    _ run: UnsafeRawBufferPointer, in shapes: [Shape], _ table: NodeTable
  ) -> Int? {
    let guess = Int(lastWithLength[run.count & 63])
    if guess >= 0, run.isEqual(to: table.bytes(shapes[guess].representative)) { return guess }
    var slot = firstSlot(run)
    while true {
      let shape = Int(slots[slot])
      guard shape >= 0 else { return nil }
      lastWithLength[run.count & 63] = Int32(shape)
      if run.isEqual(to: table.bytes(shapes[shape].representative)) { return shape }
      slot = (slot + 1) & (slots.count - 1)
    }
  }

  mutating func insert(_ index: Int, shapes: [Shape], _ table: NodeTable) {
    if 2 * (count + 1) > slots.count {
      slots = Array(repeating: -1, count: 2 * slots.count)
      for other in shapes.indices.dropLast() { place(other, shapes, table) }
    }
    place(index, shapes, table)
    count += 1
  }

  private mutating func place(_ index: Int, _ shapes: [Shape], _ table: NodeTable) {
    var slot = firstSlot(table.bytes(shapes[index].representative))
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(index)
  }

  private func firstSlot(_ run: UnsafeRawBufferPointer) -> Int {
    let seed = Self.seed
    var hash = seed ^ UInt64(run.count)
    var place = 0
    while place + 8 <= run.count {
      hash = (hash ^ run.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* seed
      hash ^= hash >> 29
      place += 8
    }
    while place < run.count {
      hash = (hash ^ UInt64(run[place])) &* seed
      hash ^= hash >> 29
      place += 1
    }
    return Int(truncatingIfNeeded: hash >> 8) & (slots.count - 1)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are the same.
  func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let address = baseAddress, let otherAddress = other.baseAddress
    else { return count == other.count }
    return memcmp(address, otherAddress, count) == 0
  }
}
