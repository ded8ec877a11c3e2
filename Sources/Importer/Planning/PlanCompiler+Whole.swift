/// Objects that a conversion makes into a value, with all that they hold.
extension PlanCompiler {
  /// The classes whose objects are reached only through keys that such conversions read.
  func classesInsideValues() -> Set<String> {
    let whole = keysReadWhole()
    guard !whole.isEmpty else { return [] }
    var targets: [Int: Set<Int>] = [:]
    var inside: Set<Int> = []
    for (index, found) in profile.classes.enumerated() {
      for property in found.properties {
        let reached = property.targets.union(property.elements.allTargets)
        if whole.contains(PropertyOrigin(className: found.name, key: property.key)) {
          inside.formUnion(reached)
        } else {
          targets[index, default: []].formUnion(reached)
        }
      }
    }
    inside = Self.closure(of: inside, targets)
    var outside = Set(profile.classes.indices).subtracting(inside).union(profile.looseTargets)
    outside.formUnion(inside.filter { profile.classes[$0].isOwn || profile.classes[$0].isEntity })
    let named = Set(drafts.joined().flatMap(\.sources))
    outside.formUnion(
      inside.filter {
        let name = profile.classes[$0].name
        return named.contains(name) || entityOfClass[name] != nil || valueClasses[name] != nil
          || isValueHook(name)
      })
    return Set(
      inside.subtracting(Self.closure(of: outside, targets)).map { profile.classes[$0].name })
  }

  /// The keys of classes that nothing reads but conversions that take objects.
  private func keysReadWhole() -> Set<PropertyOrigin> {
    var whole: Set<PropertyOrigin> = []
    var others: Set<PropertyOrigin> = []
    for draft in drafts.joined() {
      func origins(_ keys: [String]) -> [PropertyOrigin] {
        draft.sources.flatMap { name in keys.map { PropertyOrigin(className: name, key: $0) } }
      }
      for attribute in draft.mapping.attributes {
        let rule = attribute.conversions.first?.value
        let isWhole = attribute.source.value.key != nil && (rule?.takesObjects ?? false)
        if isWhole {
          whole.formUnion(origins(attribute.source.value.keys))
        } else {
          others.formUnion(origins(attribute.source.value.keys))
        }
      }
      for relationship in draft.mapping.relationships {
        others.formUnion(origins(relationship.source.value.keys))
      }
      others.formUnion(origins(draft.mapping.collections.map(\.key.value)))
    }
    return whole.subtracting(others)
  }

  /// The classes that some lead to, and these themselves.
  private static func closure(of classes: Set<Int>, _ targets: [Int: Set<Int>]) -> Set<Int> {
    var found = classes
    var waiting = Array(classes)
    while let next = waiting.popLast() {
      for target in targets[next] ?? [] where found.insert(target).inserted {
        waiting.append(target)
      }
    }
    return found
  }
}
