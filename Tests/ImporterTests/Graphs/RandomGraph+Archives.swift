import ArchiveWriter
import TestSupport

extension RandomGraph {
  /// The archives of the graph, their objects met in the order of their numbers or in any.
  func archives(inOrder: Bool, using generator: inout SeededGenerator) -> [KeyedArchiveBuilder] {
    (0..<archiveCount).map { archive in
      var builder = KeyedArchiveBuilder()
      let numbers = objects.indices.filter { objects[$0].archive == archive }
      var slots: [Int: KeyedArchiveBuilder.Slot] = [:]
      for number in inOrder ? numbers : numbers.shuffled(using: &generator) {
        slots[number] = builder.reserve()
      }
      for number in numbers {
        guard let slot = slots[number] else { continue }
        var pairs = [KeyValue("tag", .integer(Int64(number)))]
        for side in declaredSides where isKind(objects[number].entity, of: end(side).entity) {
          if let value = value(of: side, number, slots, &builder, &generator) {
            pairs.append(KeyValue(end(side).name, value))
          }
        }
        pairs.shuffle(using: &generator)
        builder.fill(slot, className: entities[objects[number].entity].name, pairs)
      }
      let references = numbers.compactMap { slots[$0]?.reference }
      if inOrder || Bool.random(using: &generator) {
        builder.setTop("root", builder.array(references))
      } else {
        // The graph is met from one object; what that does not reach follows.
        builder.setTop("root", references[0])
        builder.setTop("all", builder.set(references.shuffled(using: &generator)))
      }
      return builder
    }
  }

  /// What stands under the key of a side; nil for no such key.
  private func value(
    of side: Side, _ object: Int, _ slots: [Int: KeyedArchiveBuilder.Slot],
    _ builder: inout KeyedArchiveBuilder, _ generator: inout SeededGenerator
  ) -> PropertyListValue? {
    guard let members = statements[side]?[object] else {
      return Bool.random(using: &generator) ? PropertyListValue.none : nil
    }
    let references = members.compactMap { slots[$0]?.reference }
    guard end(side).isToMany else { return references.first }
    let isUnique = Set(members).count == members.count
    if !end(side).isOrdered, isUnique, Bool.random(using: &generator) {
      return builder.set(references)
    }
    return isUnique && Bool.random(using: &generator)
      ? builder.orderedSet(references) : builder.mutableArray(references)
  }
}
