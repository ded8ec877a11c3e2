extension ArchiveCase: CustomStringConvertible {
  /// The case in words: what stands under each key.
  package var description: String {
    (["\(settings)"] + files.map(\.description)).joined(separator: "\n")
  }
}

extension ArchivedFile: CustomStringConvertible {
  package var description: String {
    var lines = [
      "\(name)\(isXML ? ", XML" : "")\(order == 0 ? "" : ", in the order \(order)"), run \(run)"
    ]
    lines += top.map { "  $top.\($0.key): \($0.content)" }
    for (number, object) in objects.enumerated() {
      lines.append("  object \(number): \(object.className)")
      lines += object.pairs.map { "    \($0.key): \($0.content)" }
    }
    for (number, collection) in collections.enumerated() {
      let elements =
        collection.kind.isKeyed
        ? zip(collection.keys, collection.elements).map { "\($0): \($1)" }
        : collection.elements.map { "\($0)" }
      lines.append(
        "  collection \(number): \(collection.kind.rawValue) [\(elements.joined(separator: ", "))]")
    }
    return lines.joined(separator: "\n")
  }
}

extension Content: CustomStringConvertible {
  package var description: String {
    switch self {
    case .none: "nil"
    case .null: "NSNull"
    case .leaf(let leaf, let isBoxed): "\(leaf)\(isBoxed ? "" : " in place")"
    case .object(let number): "object \(number)"
    case .collection(let number): "collection \(number)"
    }
  }
}
