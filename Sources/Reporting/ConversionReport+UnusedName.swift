extension ConversionReport {
  /// A name of the mapping that matches nothing in the archives.
  public struct UnusedName: Sendable, Hashable, Codable {
    /// The option that takes the place of the path for a class that it names.
    package static let seeThroughOption = "--see-through"
    /// The same for a prefix.
    package static let stripPrefixOption = "--strip-prefix"

    /// The path of the mapping file.
    public var path: String?
    /// The line of the name; nil if it has no single location.
    public var line: Int?
    /// The column.
    public var column: Int?
    /// The name.
    public var name: String
    /// The nearest name that the archives have.
    public var nearest: String?
    /// The error in words, without the place.
    public var message: String

    package init(_ problem: MappingError.Problem, path: String?) {
      self.path = path
      (line, column) = (problem.mark?.line, problem.mark?.column)
      (name, nearest) = (problem.name ?? "", problem.nearest)
      message = "\(problem)"
    }

    /// The place and what is wrong: `path:line:column: message`.
    public var text: String {
      let place = [path ?? "the mapping"] + [line, column].compactMap { $0.map(String.init) }
      return "\(place.joined(separator: ":")): \(message)"
    }
  }
}
