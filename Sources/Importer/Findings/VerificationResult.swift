import Support

/// The result of comparing a store with its archives.
public struct VerificationResult: Sendable, Hashable, Codable {
  /// A place where the store does not say what the archives do.
  public struct Difference: Sendable, Hashable, Codable {
    /// The path of the archive; nil if it concerns none, or all.
    public var archive: String?
    /// The archived object; nil if the store holds what no object stands after.
    public var uid: Int?
    /// The entity, or the table of the store that keeps account of them.
    public var entity: String
    /// The row; nil if there is none.
    public var row: Int64?
    /// The property or column; empty if the row as a whole is concerned.
    public var property: String
    /// The expected value, as text, shortened if it is long.
    public var expected: String
    /// The value in the store, as text.
    public var found: String

    package init(
      archive: String?, uid: Int?, entity: String, row: Int64?, property: String, expected: String,
      found: String
    ) {
      (self.archive, self.uid) = (archive, uid)
      (self.entity, self.row, self.property) = (entity, row, property)
      (self.expected, self.found) = (expected, found)
    }
  }

  /// Values, rows or archives that could not be compared, and why.
  public struct Omission: Sendable, Hashable, Codable {
    /// The entity, or a table of the store's own.
    public var entity: String
    /// The property; empty if rows as a whole are concerned.
    public var property: String
    /// Why it could not be compared.
    public var reason: String
    /// The number of values, rows or archives concerned.
    public var count: Int

    package init(entity: String, property: String, reason: String, count: Int) {
      (self.entity, self.property) = (entity, property)
      (self.reason, self.count) = (reason, count)
    }
  }

  /// The number of values compared: those of attributes, and the elements of collections of values.
  public var valuesCompared = 0
  /// The number of references compared, each side of a relationship by itself.
  public var linksCompared = 0
  /// The number of values compared in the store's own tables: what it says of archives, runs and
  /// classes.
  public var entriesCompared = 0
  /// The differences, up to a limit.
  public var differences: [Difference] = []
  /// The number of all differences.
  public var differenceCount = 0
  /// The differences that are not listed, where they are kept.
  package var unlistedDifferences = UnlistedEntries()
  /// The content that was not compared, such as what hooks in Swift made: the store alone knows
  /// of it.
  public var notCompared: [Omission] = []

  package init() {}

  /// The greatest number of differences that are listed.
  package static let maxDifferences = 1_000

  private enum CodingKeys: String, CodingKey {
    case valuesCompared, linksCompared, entriesCompared, differences, differenceCount, notCompared
  }

  /// True if the store says what the archives do, as far as it was compared.
  public var isPassed: Bool { differenceCount == 0 }

  /// True if all of the store was compared, and is as it should be.
  public var isComplete: Bool { isPassed && notCompared.isEmpty }

  /// The number of values, rows and archives that were not compared.
  public var notComparedCount: Int { notCompared.map(\.count).boundedSum }
}

extension VerificationResult {
  /// Adds the differences that another comparison found.
  package mutating func add(differencesOf other: VerificationResult) {
    for difference in other.differences { list(difference) }
    unlistedDifferences.append(other.unlistedDifferences)
    differenceCount += other.differenceCount
  }

  /// Lists a difference that is counted.
  package mutating func list(_ difference: Difference) {
    if differences.count < Self.maxDifferences {
      differences.append(difference)
    } else {
      unlistedDifferences.add(.differences, difference)
    }
  }
}
