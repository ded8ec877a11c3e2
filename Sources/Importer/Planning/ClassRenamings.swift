import ArchiveReader

extension PlanCompiler {
  /// The classes that a mapping declares to be others by now.
  struct ClassRenamings {
    private var targets: [String: String] = [:]
    /// The first names of those that lead back to themselves.
    private(set) var loops: [Marked<String>] = []

    /// Creates a table without renamings.
    init() {}

    /// Creates a table of what a mapping says.
    init(_ entries: [ClassMapping]) {
      for entry in entries {
        if case .translated(let name) = entry.kind { targets[entry.className.value] = name }
      }
      var looping: Set<String> = []
      for entry in entries where targets[entry.className.value] != nil {
        let start = entry.className.value
        let way = way(from: start)
        guard way.comesAgain == start, !looping.contains(start) else { continue }
        looping.formUnion(way.names)
        loops.append(entry.className)
      }
    }

    /// The name that a class has by now, the last of several; nil if nothing is said of it.
    func last(of name: String) -> String? {
      let way = way(from: name)
      return way.names.count > 1 ? way.names.last : nil
    }

    /// All names that a class has had, until one comes again.
    private func way(from name: String) -> (names: [String], comesAgain: String?) {
      var names = [name]
      var seen: Set = [name]
      var next = target(of: name)
      while let name = next {
        guard seen.insert(name).inserted else { return (names, name) }
        names.append(name)
        next = target(of: name)
      }
      return (names, nil)
    }

    private func target(of name: String) -> String? {
      targets[name] ?? SwiftName.plain(name).flatMap { targets[$0] }
    }
  }
}
