extension ArchiveInspection {
  /// Inspects an archive.
  ///
  /// - Complexity: Linear in the number of values. Takes about twelve bytes for each object and
  ///   four for each reference.
  public init(
    _ archive: KeyedArchive, limits: ReadingLimits = .standard
  ) throws(ArchiveError) {
    self.init()
    do throws(ArchiveError) {
      try count(archive, limits)
    } catch {
      throw archive.propertyList.explained(error)
    }
  }

  private mutating func count(
    _ archive: KeyedArchive, _ limits: ReadingLimits
  ) throws(ArchiveError) {
    let graph = try ReferenceGraph(archive, limits: limits)
    objects = archive.objectCount
    references = graph.references.count
    danglingReferences = graph.danglingReferences
    top = archive.topLevel.map { entry in
      switch archive.table.value(of: entry.node) {
      case .uid(let uid): (entry.key, .uid(uid))
      case let value: (entry.key, .inline(value.typeName))
      }
    }
    (reachable, _, isCyclic) = graph.walk(from: graph.topReferences)
    var counter = ClassCounter(archive, limits: limits)
    classes = try counter.count()
  }
}

extension KeyedArchive {
  /// The number of objects that no top-level key leads to, by whatever keys.
  ///
  /// - Complexity: Linear in the number of values.
  package func unreachableObjects(_ limits: ReadingLimits) throws(ArchiveError) -> Int {
    let graph = try ArchiveInspection.ReferenceGraph(self, limits: limits)
    return graph.walk(from: graph.topReferences).unreached
  }
}

extension Node.Value {
  /// The kind of a value in a word.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .integer, .wideInteger: "integer"
    case .real: "real"
    case .date: "date"
    case .data: "data"
    case .text: "string"
    case .uid: "uid"
    case .array: "array"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}
