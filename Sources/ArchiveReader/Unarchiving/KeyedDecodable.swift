#if compiler(<6.2)
  /// Swift 6.1 has no such protocol, since all metatypes are sendable there.
  public protocol SendableMetatype {}
#endif

/// A type whose values are made from archived objects: a class, as in the app, or a structure.
///
/// ```swift
/// final class Note: KeyedDecodable {
///   let title: String
///   private(set) var folder: Folder?
///
///   init(coder: KeyedCoder) throws {
///     title = try coder.decodeString(forKey: "title") ?? ""
///     // The folder may hold this note: it is set when both are there.
///     try coder.decodeReference(to: Folder.self, forKey: "folder") { self.folder = $0 }
///   }
/// }
/// ```
///
/// See Documentation/reading.md.
public protocol KeyedDecodable: SendableMetatype {
  /// The names of the archived classes: those of the type, with and without its module, unless
  /// there is something else to say.
  static var archivedClassNames: [String] { get }

  /// The type that decodes the objects in the place of this one.
  static var classForKeyedUnarchiver: any KeyedDecodable.Type { get }

  /// Decodes an object of its keys; what is thrown is thrown to whoever wanted the object.
  init(coder: KeyedCoder) throws

  /// The object, mostly this one, that takes the place of this one wherever it is referred to.
  func awakeAfter(using coder: KeyedCoder) throws -> any KeyedDecodable
}

extension KeyedDecodable {
  /// The name of the type, with and without its module.
  public static var archivedClassNames: [String] {
    // A private type has a part more, which stands for its file: no name in an archive has it.
    let name = String(reflecting: Self.self).replacing(/\(unknown context[^)]*\)\./, with: "")
    return [name, "\(Self.self)"]
  }

  /// The type itself.
  public static var classForKeyedUnarchiver: any KeyedDecodable.Type { Self.self }

  /// The object itself.
  public func awakeAfter(using coder: KeyedCoder) throws -> any KeyedDecodable { self }

  /// True if the type is another, or a subclass of it.
  static func isKind(of other: any KeyedDecodable.Type) -> Bool {
    func check<Other: KeyedDecodable>(_ other: Other.Type) -> Bool { Self.self is Other.Type }
    return check(other)
  }
}
