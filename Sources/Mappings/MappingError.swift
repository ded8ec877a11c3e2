/// Why a mapping file cannot be used: everything that is wrong with it.
///
/// A problem carries a code, a place and names that the mapping file uses, never stored data. Its
/// words are made in one place: see `description`.
public struct MappingError: Error, Hashable, Sendable {
  /// The kinds of problem.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // The file
    case unreadable
    case tooLarge
    case malformedYAML
    /// The file is of another kind.
    case notAMapping
    case tooDeep
    case tooMany
    case unknownAlias
    case unknownTag

    // Its keys
    case unknownKey
    case duplicateKey
    case missingKey
    case conflictingKeys

    // Its values
    case wrongKind
    case emptyName
    case unknownWord
    case badNumber
    case badRange
    case badPredicate
    case badExpression
    case badPattern
    case badDatePattern
    case unknownLocale
    case unknownTimeZone

    // What does not fit the model, the archives or the converter
    case unknownEntity
    case unknownProperty
    case unknownDestination
    case unknownInverse
    case unknownPolicy
    case unusedPolicy
    case unusedPolicyMapping
    case policyTwice
    case policyWithoutMigration
    case unknownFunction
    case twoNames
    case renamingCycle
    case hookAndPolicy
    case reservedName
    case abstractEntity
    case parentCycle
    case contradictsBlock
    case contradictsModel
    case keysOfValue
    case noConversion
    case badConversion
    case otherModel
    case badView

    // What matches nothing in the archives: no error by itself
    case unusedClass
    case unusedPrefix
    case unusedEntity
    case unusedRecordPath
    case unusedKey
    case unusedPath
    case unusedBlock
  }

  /// One thing that is wrong.
  public struct Problem: Error, Hashable, Sendable {
    /// The kind of problem.
    public var code: Code
    /// The place of the problem; nil if that is no one place.
    public var mark: SourceMark?
    /// The key, word or name that is concerned, or what was found, or the words of a parser.
    public var name: String?
    /// The right text in its place, or a description of the place.
    public var expected: String?
    /// The name that was probably meant.
    public var nearest: String?

    /// Creates a problem.
    public init(
      _ code: Code, at mark: SourceMark? = nil, name: String? = nil, expected: String? = nil,
      nearest: String? = nil
    ) {
      self.code = code
      self.mark = mark
      self.name = name
      self.expected = expected
      self.nearest = nearest
    }
  }

  /// The path of the mapping file.
  public let path: String
  /// The problems in the order of the file, at least one.
  public let problems: [Problem]
  /// The number of further problems: only so many are listed.
  public let omittedCount: Int

  /// Creates an error of one problem or several, which are put into the order of the file.
  public init(
    path: String, _ first: Problem, _ others: [Problem] = [], omittedCount: Int = 0
  ) {
    self.path = path
    self.omittedCount = omittedCount
    // Sorting is not promised to keep the order of equals.
    problems = ([first] + others).enumerated().sorted { one, other in
      (one.element.mark?.line ?? 0, one.element.mark?.column ?? 0, one.offset)
        < (other.element.mark?.line ?? 0, other.element.mark?.column ?? 0, other.offset)
    }.map(\.element)
  }
}
