extension SwiftName {
  /// A type inside of a module or of other types.
  struct Path {
    /// A module or a type, with its generic arguments.
    struct Part {
      package var name: String
      package var arguments: [String] = []
    }

    var parts: [Part]

    init(module: String) { parts = [Part(name: module)] }

    /// A type of the standard library.
    init(standard name: String) { parts = [Part(name: "Swift"), Part(name: name)] }

    var isType: Bool { parts.count > 1 }

    var text: String {
      parts.map { part in
        part.arguments.isEmpty
          ? part.name : "\(part.name)<\(part.arguments.joined(separator: ", "))>"
      }.joined(separator: ".")
    }

    func appending(_ name: String) -> Path {
      var path = self
      path.parts.append(Part(name: name))
      return path
    }
  }
}
