/// Why a Core Data model cannot be read or written.
///
/// An error carries a code and names (of entities, properties and keys), never stored data. Its
/// words are made in one place: see `description`.
public struct ModelError: Error, Hashable, Sendable {
  /// The kinds of error.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // The file
    case unreadable
    case unwritable
    case tooLarge
    case unknownKind
    case missingModel
    case missingVersion
    case severalModels
    case ambiguousVersion
    case assumedVersion
    case damagedVersionInfo
    case notAStore
    case damagedMetadata
    case damagedCache
    case otherTemplate
    case missingCache
    case otherCache
    case missingEntity
    case missingTable
    case missingColumn
    case unreadableProperty
    case badEntityNumber
    case damagedTable
    case damagedLog
    case malformedXML
    case documentType
    case damagedArchive
    case notAModel
    case noMatchingVersion
    case ambiguousMatch
    case notAMappingModel
    case missingMappingModel
    case danglingReference
    case duplicateObject

    // What it declares
    case missingName
    case duplicateEntity
    case duplicateProperty
    case conflictingProperty
    case conflictingEntity
    case unknownAttributeType
    case unknownDeleteRule
    case badValue
    case unknownParent
    case parentCycle
    case missingDestination
    case unknownDestination
    case unknownInverse
    case oneSidedInverse
    case otherDefault
    case otherLimit
    case unknownConstrainedProperty
    case unstorable

    // Limits
    case tooDeep
    case tooDeepFolder
    case tooMany
  }

  /// The kind of error.
  public var code: Code
  /// The path of the file.
  public var path: String
  /// The name of the entity that is concerned.
  public var entity: String?
  /// The name of the property that is concerned.
  public var property: String?
  /// The line of the XML, counted from 1.
  public var line: Int?
  /// A name that the code alone does not tell, or the words of the system.
  public var name: String?

  /// Creates an error.
  public init(
    _ code: Code, path: String = "", entity: String? = nil, property: String? = nil,
    line: Int? = nil, name: String? = nil
  ) {
    self.code = code
    self.path = path
    self.entity = entity
    self.property = property
    self.line = line
    self.name = name
  }

  /// The same error in a file, if it has none yet.
  package func placed(in path: String) -> ModelError {
    var error = self
    if error.path.isEmpty { error.path = path }
    return error
  }
}

extension ModelError: CustomStringConvertible {
  /// The error in words, after the path and its place in the model: `path: entity.property: what`.
  public var description: String {
    let place = [entity, property].compactMap { $0 }.joined(separator: ".")
    let words = [path, place, sentence].filter { !$0.isEmpty }.joined(separator: ": ")
    guard let line else { return words }
    return "\(words) (line \(line))"
  }

  private var sentence: String {
    let name = name ?? "?"
    return switch code {
    case .unreadable: "cannot be read: \(name)"
    case .unwritable: "cannot be written: \(name)"
    case .tooLarge: "is larger than the limit of \(name) bytes"
    case .unknownKind:
      "is neither a Core Data model (.xcdatamodeld, .xcdatamodel, .momd, .mom) nor a store of one"
    case .missingModel: "contains no model"
    case .missingVersion: "contains no version named \(name), its current version"
    case .severalModels: "contains several models, \(name): give the path of one"
    case .ambiguousVersion: "contains several versions and does not say which is current"
    case .assumedVersion:
      "does not say which version is current: '\(name)' is taken, the last of several by name"
    case .damagedVersionInfo: "is not a property list of versions: \(name)"
    case .notAStore: "is not a Core Data store: \(name)"
    case .damagedMetadata: "the metadata of the store cannot be read: \(name)"
    case .damagedCache: "the model in the store cannot be read: \(name)"
    case .otherTemplate: "is a store of a different model, which differs in \(name)"
    case .missingCache:
      "the store does not carry its model: give it with --model (a model, or a folder with models)"
    case .otherCache:
      "the model in the store is not the one that its data was written by; they differ in \(name): "
        + "give that one with --model"
    case .missingEntity: "the store has no such entity"
    case .missingTable: "the store has no table \(name)"
    case .missingColumn: "the store has no column \(name)"
    case .unreadableProperty: "cannot be read from the store: \(name)"
    case .badEntityNumber: "the numbers of the store's entities are damaged: \(name)"
    case .damagedTable: "the table is damaged: \(name)"
    case .damagedLog:
      "the -wal file beside the store is damaged or cut off: what it holds from there on would be missing (run and migrate read the rest with --salvage)"
    case .malformedXML: "the XML is not well-formed: \(name)"
    case .documentType: "the XML has a document type; models have none"
    case .damagedArchive: name
    case .notAModel: "is not a Core Data model: \(name)"
    case .noMatchingVersion: "is of no version in \(name)"
    case .ambiguousMatch: "may be of several versions in \(name)"
    case .missingMappingModel: "contains no mapping model"
    case .notAMappingModel: "is not a mapping model: \(name)"
    case .danglingReference: "refers to the object \(name), which does not exist"
    case .duplicateObject: "duplicate object \(name)"

    case .missingName: "an element <\(name)> has no name"
    case .duplicateEntity: "duplicate entity"
    case .duplicateProperty: "duplicate property"
    case .conflictingProperty:
      "the property is declared differently in the parent entity \(name)"
    case .conflictingEntity: "the entity is declared differently in \(name)"
    case .unknownAttributeType: "unknown attribute type \(name)"
    case .unknownDeleteRule: "unknown delete rule \(name)"
    case .badValue: "invalid value of \(name)"
    case .unknownParent: "the parent entity \(name) does not exist"
    case .parentCycle: "the entity inherits from itself"
    case .missingDestination: "the relationship has no destination"
    case .unknownDestination: "the destination entity \(name) does not exist"
    case .unknownInverse: "the inverse \(name) is not a relationship back to this entity"
    case .oneSidedInverse: "the inverse \(name) does not refer back"
    case .otherDefault: "the default value is not of the type \(name): read as Xcode does"
    case .otherLimit: "a limit of the values is not a number: read as Xcode does"
    case .unknownConstrainedProperty:
      "the property \(name) of a uniqueness constraint does not exist"
    case .unstorable: "cannot be kept in a Core Data store: \(name)"

    case .tooDeep: "inheritance is deeper than the limit of \(name) entities"
    case .tooDeepFolder: "folders are nested deeper than the limit of \(name)"
    case .tooMany: "the model holds more \(name) than the limit allows"
    }
  }
}
