extension ConversionReport {
  /// A value of which something was lost.
  public struct Loss: Sendable, Hashable, Codable {
    /// The path of the archive.
    public var archive: String
    /// The object that held the value; nil for a top-level key.
    public var uid: Int?
    /// Its class.
    public var className: String
    /// The archived key.
    public var key: String
    /// The value before, with what cannot be written as text spelled out.
    public var before: String
    /// The value after.
    public var after: String
    /// What was lost.
    public var reason: String

    private enum CodingKeys: String, CodingKey {
      case archive, uid, key, before, after, reason
      case className = "class"
    }
  }

  /// A value or a row that breaks a rule of the model.
  public struct BrokenRule: Sendable, Hashable, Codable {
    /// What is wrong.
    public var code: ValidationError.Code
    /// The path of the archive; nil where rows of several are concerned.
    public var archive: String?
    /// The archived object.
    public var uid: Int?
    /// Its class.
    public var className: String?
    /// The archived key that held the value.
    public var key: String?
    /// The entity.
    public var entity: String?
    /// The row, where the object is not known.
    public var row: Int64?
    /// The attribute or relationship.
    public var property: String?
    /// What kind of value it is.
    public var kind: String?
    /// The error in words, with its place, but without the path of the archive.
    public var message: String
    /// How many errors differ from it in nothing but the object, itself included: told of the first
    /// of them.
    public var times: Int?

    init(_ error: ValidationError) {
      code = error.code
      (archive, uid, className, key) = (error.archive, error.uid, error.className, error.key)
      (entity, row, property) = (error.entity, error.row, error.property)
      kind = error.kind
      message = "\(error)"
      times = error.times > 1 ? error.times : nil
    }

    private enum CodingKeys: String, CodingKey {
      case code, archive, uid, key, entity, row, property, kind, message, times
      case className = "class"
    }
  }

  /// A pass that failed.
  public struct FailedPass: Sendable, Hashable, Codable {
    /// Its name.
    public var name: String
    /// Why it failed.
    public var reason: String
    /// The names of the passes whose rows were kept.
    public var kept: [String]
  }

  /// A key of a class, and how many objects have it.
  public struct KeyCount: Sendable, Hashable, Comparable, Codable {
    /// The class.
    public var className: String
    /// The key.
    public var key: String
    /// How many objects have it.
    public var count: Int

    init(_ place: ImportFindings.ClassKey, _ count: Int) {
      className = place.className
      key = place.key
      self.count = count
    }

    private enum CodingKeys: String, CodingKey {
      case key, count
      case className = "class"
    }

    /// By class, then by key.
    public static func < (first: Self, second: Self) -> Bool {
      (first.className, first.key) < (second.className, second.key)
    }
  }

  /// A class, and how many of its objects are concerned.
  public struct ClassCount: Sendable, Hashable, Comparable, Codable {
    /// The class.
    public var className: String
    /// How many objects.
    public var count: Int

    init(_ className: String, _ count: Int) {
      self.className = className
      self.count = count
    }

    private enum CodingKeys: String, CodingKey {
      case count
      case className = "class"
    }

    /// By class.
    public static func < (first: Self, second: Self) -> Bool { first.className < second.className }
  }
}
