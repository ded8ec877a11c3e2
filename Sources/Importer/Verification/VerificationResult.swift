/// What the comparison of a store with its archives found.
public struct VerificationResult: Sendable, Hashable, Codable {
  /// A place where the store does not say what the archives do.
  public struct Difference: Sendable, Hashable, Codable {
    /// The path of the archive; nil if it concerns none, or all.
    public var archive: String?
    /// The archived object; nil if the store holds what no object stands behind.
    public var uid: Int?
    /// The entity, or the table of the store that keeps account of them.
    public var entity: String
    /// The row; nil if there is none.
    public var row: Int64?
    /// The property or column; empty if the row as a whole is concerned.
    public var property: String
    /// What should be there, as text, shortened if it is long.
    public var expected: String
    /// What is there.
    public var found: String
  }

  /// How many values were compared: those of attributes, and the elements of collections of values.
  public var valuesCompared = 0
  /// How many references were compared, each side of a relationship by itself.
  public var linksCompared = 0
  /// The differences, up to a limit.
  public var differences: [Difference] = []
  /// How many there are in all.
  public var differenceCount = 0

  /// Whether the store says what the archives do.
  public var isPassed: Bool { differenceCount == 0 }
}
