import ArchiveReader

extension ImportCoder {
  /// The names of the classes that one call of a hook allows, and which archived classes those are.
  struct AllowedNames {
    private let names: Set<String>
    /// What was found out of each class: a collection may hold many objects of it.
    private var answers: [ClassID: Bool] = [:]

    /// Creates a list of names, as archived or as one would write them in Swift.
    init(_ names: [String]) {
      self.names = Set(names.map(ArchivedName.text))
    }

    /// Whether a class of Foundation is one of them, or a subclass.
    func contains(_ known: KnownClass) -> Bool {
      names.contains { known.isKind(ofClassNamed: $0) }
    }

    /// Whether the class of an object is one of them, or a subclass.
    mutating func contains(_ id: ClassID, _ record: ClassRecord) -> Bool {
      if let answer = answers[id] { return answer }
      let answer =
        ([record.name] + record.hierarchy).contains { name in
          names.contains(name) || names.contains(SwiftName.readable(name))
        } || record.known.map(contains) ?? false
      answers[id] = answer
      return answer
    }
  }
}
