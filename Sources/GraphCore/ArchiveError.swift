/// An error in a file, with its position.
///
/// An error carries a code, a position and names (of keys and classes), never document content.
/// Its words are made in one place: see `description`.
public struct ArchiveError: Error, Hashable, Sendable {
  /// The kind of error.
  public var code: Code
  /// The position of the error, if that is known.
  public var position: Position?
  /// A name that the code alone does not tell: of a key, a class, a limit or a system error.
  public var name: String?
  /// The limit that the file goes beyond, if it is that; `name` is its value then.
  public var limit: ReadingLimits.Name?
  /// The use of salvaging what is left of the file, as far as that is known.
  package var salvage: Salvage?

  /// The use of salvaging a damaged file.
  package enum Salvage: Hashable, Sendable {
    /// It was not tried, and may recover something.
    case untried
    /// It was tried, and recovered nothing.
    case failed
  }

  /// Creates an error.
  public init(_ code: Code, at position: Position? = nil, name: String? = nil) {
    self.code = code
    self.position = position
    self.name = name
  }

  /// A place in a file.
  public enum Position: Hashable, Sendable {
    /// A byte offset in a binary file.
    case byte(Int)
    /// A line and a column of an XML file, counted from 1; the column is 0 where it is unknown.
    case line(Int, column: Int)
    /// An entry of `$objects`, and the key in it that is concerned.
    case object(Int, key: String?)
    /// An object of a Core Data store, by its entity and primary key such as "Note 17", and the
    /// property that is concerned.
    case record(String, property: String?)
    /// The dictionary that the property list is.
    case topLevel
    /// A key of that dictionary, or of `$top`.
    case topLevelKey(String)
  }

  /// The kinds of error.
  public enum Code: String, Hashable, Sendable {
    // The file
    case unreadable
    case empty
    case notAnArchive
    case badWrapping
    case outOfMemory

    // The property list, binary
    case truncated
    case damagedTrailer
    case damagedLineEnds
    case offsetOutOfBounds
    case wrongOffset
    case unknownMarker
    case objectOutOfBounds
    case referenceOutOfBounds
    case stringNotASCII
    case keyNotAString
    case oversizedUID
    case overlappingObjects

    // The property list, XML
    case malformedXML
    case truncatedXML
    case longMarkup
    case entityDeclared
    case tooManyAttributes
    case unknownEncoding
    case unexpectedElement
    case unexpectedText
    case badNumber
    case badDate
    case badData
    case missingValue
    case noValue

    // The compiled nib
    case damagedNib
    // The typedstream
    case damagedTypedstream
    case unsupportedType
    case textNotUTF8

    // The keyed archive
    case missingArchiver
    case missingVersion
    case missingObjects
    case missingTop
    case noReference
    case unsupportedVersion
    case danglingReference
    case noClassRecord
    case noClassName
    case badClassHierarchy
    case badCollection
    case badObject
    case repeatedKey

    // Decoding
    case wrongKind
    case outOfRange
    case misfitObject
    case unknownClass
    case classNotAllowed
    case cyclicObject
    case replacedTooLate
    case nilElement
    case notTopLevel
    case unsupportedTypeCode

    // The Core Data store
    case damagedStore
    case unreadableStore
    /// A value of a database begins as an archive, and is damaged.
    case damagedValue
    case damagedMetadata
    case otherModel
    case unknownEntity
    case unknownProperty
    case ambiguousName
    case repeatedObject
    case wrongValueCount
    case suspectByteOrder
    case failedMigration

    // The converter itself
    case unplanned

    // Limits
    case tooDeep
    case tooMany
    case expansion

    /// True if the error is one of values that do not fit together.
    package var isDamage: Bool {
      switch self {
      case .missingArchiver, .missingVersion, .missingObjects, .missingTop, .noReference,
        .unsupportedVersion, .danglingReference, .noClassRecord, .noClassName, .badClassHierarchy,
        .badCollection, .badObject, .repeatedKey:
        true
      default: false
      }
    }
  }
}

extension ArchiveError {
  /// An object or value that the plan for its source has no place for, though the plan was made for
  /// all that it holds: a fault of the converter, unless the file has changed meanwhile.
  package static var unplanned: ArchiveError { ArchiveError(.unplanned) }

  /// The same error at a place, if it has none yet.
  package func placed(at position: Position) -> ArchiveError {
    var error = self
    if error.position == nil { error.position = position }
    return error
  }
}
