import Support

extension MigrationSummary: CustomStringConvertible {
  /// The summary in words: a line for each entity mapping, what was lost by it below, then what
  /// concerns the whole.
  public var description: String {
    var lines = entityMappings.flatMap(\.lines)
    for (entity, count) in unmigratedObjects.sorted(by: { $0.key < $1.key }) {
      lines.append("not migrated: \(count) \(entity)")
    }
    if otherObjects > 0 {
      lines.append("made by policies without a source object: \(otherObjects)")
    }
    if replacedLinks > 0 {
      lines.append("links replaced by others of a to-one relationship: \(replacedLinks)")
    }
    if !omissions.isEmpty {
      lines.append("left out, since the model was edited after the mapping model was made:")
      lines += omissions.map { "  \($0)" }
    }
    return PrintableText.lines(lines)
  }
}

extension MigrationSummary.Omission: CustomStringConvertible {
  /// The place, and the reason: `CarToCar.color: unknown property color`.
  public var description: String {
    "\([entityMapping, property].compactMap { $0 }.joined(separator: ".")): \(reason)"
  }
}

extension MigrationSummary.EntityMapping {
  /// A line with the objects in and out, and one for each thing that was lost or left.
  fileprivate var lines: [String] {
    var lines = ["\(name): \(objects)"]
    if droppedObjects > 0 { lines.append("  dropped by the policy: \(droppedObjects)") }
    if !unreadProperties.isEmpty {
      lines.append(
        "  not read: \(Self.list(unreadProperties, unreadValues) { $0 == 1 ? "value" : "values" })")
    }
    if !lostLinks.isEmpty {
      lines.append("  links left behind: \(Self.list(lostLinks.keys.sorted(), lostLinks))")
    }
    if !convertedAttributes.isEmpty {
      lines.append("  converted: \(Self.list(convertedAttributes, lostValues) { _ in "lost" })")
    }
    let defaults = unfilledProperties.filter { !missingProperties.contains($0) }
    if !defaults.isEmpty { lines.append("  left at the default: \(Self.list(defaults))") }
    let missing = Set(missingProperties).union(missingValues.keys).sorted()
    if !missing.isEmpty {
      let list = Self.list(missing, missingValues) { $0 == 1 ? "object" : "objects" }
      lines.append("  mandatory, but without a value: \(list)")
    }
    return lines
  }

  private var objects: String {
    switch (sourceEntityName, destinationEntityName) {
    case (let source?, let destination?):
      "\(sourceObjects) \(source) to \(destinationObjects) \(destination)"
    case (let source?, nil): "\(sourceObjects) \(source) removed"
    case (nil, let destination?): "\(destinationObjects) new \(destination)"
    case (nil, nil): "nothing"
    }
  }

  private static func list(
    _ names: [String], _ counts: [String: Int] = [:], _ unit: ((Int) -> String)? = nil
  ) -> String {
    names.map { name in
      guard let count = counts[name] else { return name }
      return unit.map { "\(name) (\(count) \($0(count)))" } ?? "\(name) (\(count))"
    }.joined(separator: ", ")
  }
}
