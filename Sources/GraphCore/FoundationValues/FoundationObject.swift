/// The parts of a value of one of Foundation's classes, which are also what is encoded.
protocol FoundationParts: Sendable, Hashable, Encodable {
  /// The name of the class, as archived.
  var `class`: String { get }
}

/// A type that stands for a class of Foundation, or for several that are archived alike.
///
/// Its stored properties are the parts, which are also what is encoded; the first is the class.
protocol FoundationObject: FoundationParts {
  /// The names of the classes that the type stands for.
  static var classNames: [String] { get }

  /// Reads the parts.
  ///
  /// It fails if a part is missing without which there is no value.
  ///
  /// - Parameter parts: The parts of the object.
  init?(_ parts: inout PartReader)
}
