import ArchiveReader
import ArchiveWriter

extension RowArchive {
  /// The objects that are no rows, as they are made: values, collections, and the classes.
  struct Maker {
    private let archive: RowArchive?
    private var objects: [Part] = []
    /// The first of them.
    private var first: Int
    private var classes: [String: Part] = [:]
    /// The class that was asked for last.
    private var lastClass: (name: String, part: Part) = ("", .leaf(.none))

    /// - Parameter archive: The rows that come first; nil if there are none.
    init(_ archive: RowArchive?) {
      self.archive = archive
      first = (archive?.rowCount ?? 0) + 1
    }

    /// Takes the objects that were made since they were taken last.
    mutating func takeObjects() -> [Part] {
      first += objects.count
      defer { objects.removeAll() }
      return objects
    }

    private mutating func add(_ part: Part) -> Part {
      objects.append(part)
      return .reference(first + objects.count - 1)
    }

    mutating func classReference(_ name: String) -> Part {
      if name != lastClass.name { lastClass = (name, classes[name] ?? newClass(name)) }
      return lastClass.part
    }

    private mutating func newClass(_ name: String) -> Part {
      let hierarchy =
        archive?.rows.form.hierarchies[name] ?? KeyedArchiveBuilder.hierarchy(of: name)
      let part = add(
        .dictionary([
          (.leaf("$classname"), .leaf(.string(name))),
          (.leaf("$classes"), .array(hierarchy.map { .leaf(.string($0)) })),
        ]))
      classes[name] = part
      return part
    }

    private mutating func dictionary(_ name: String, _ pairs: [(String, Part)]) -> Part {
      .dictionary(
        pairs.map { (.leaf(.string($0.0)), $0.1) } + [(.leaf("$class"), classReference(name))])
    }

    /// The value under a key; in a collection, the reference to it.
    mutating func part(_ item: StoreRows.Item, isElement: Bool = false) -> Part {
      switch item {
      case .none: return .leaf(.none)
      case .row(let place): return archive?.reference(to: place) ?? .leaf(.none)
      case .plain(let value): return isElement ? add(.leaf(value)) : .leaf(value)
      case .object(let value): return add(.leaf(value))
      case .className(let name): return classReference(name)
      case .instance(let form, let values):
        let place = add(.leaf(.none))
        let index = objects.count - 1
        var parts = values.map { part($0) }
        parts.append(classReference(form.className))
        objects[index] = .object(form.archived, parts)
        return place
      case .stored(_, let item): return part(item, isElement: isElement)
      case .collection(let kind, let keys, let values):
        let place = add(.leaf(.none))
        let index = objects.count - 1
        objects[index] = collection(kind, keys, values)
        return place
      }
    }

    mutating func collection(
      _ kind: CollectionKind, _ keys: [StoreRows.Item], _ values: [StoreRows.Item]
    ) -> Part {
      let values = values.map { part($0, isElement: kind != .countedSet) }
      let keys = kind.isKeyed ? keys.map { part($0, isElement: true) } : []
      switch kind {
      case .array: return dictionary("NSArray", [("NS.objects", .array(values))])
      case .set: return dictionary("NSSet", [("NS.objects", .array(values))])
      case .dictionary:
        return dictionary(
          "NSDictionary", [("NS.keys", .array(keys)), ("NS.objects", .array(values))])
      case .orderedSet:
        return dictionary(
          "NSOrderedSet", values.enumerated().map { ("NS.object.\($0)", $1) })
      case .countedSet:
        let pairs = zip(keys, values).enumerated().flatMap { index, pair in
          [("NS.object\(index)", pair.0), ("NS.count\(index)", pair.1)]
        }
        let count = Part.leaf(.integer(Int64(keys.count)))
        return dictionary("NSCountedSet", [("NS.count", count)] + pairs)
      }
    }
  }
}
