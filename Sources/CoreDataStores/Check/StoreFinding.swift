/// Something that is wrong in a Core Data store, or worth knowing.
///
/// A finding carries a code and a place, never stored data. Its words are made in one place: see
/// `description`.
public struct StoreFinding: Sendable, Hashable {
  /// The kinds of findings.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    // The file and its log
    case missingLog
    case damagedLog
    case unfinishedLog
    case otherHeader
    case otherVersion
    case damagedDatabase
    case unreadable

    // What the store says of its model
    case otherHashesVersion
    case otherHash
    case uncheckedHash
    case missingHashes
    case otherDigest
    case badIdentifier
    case otherStoreType
    case otherVacuumLevel
    case otherFramework
    case damagedModel
    case surplusModelBytes
    case otherConfiguration
    case uncheckedProperty
    case oneSidedInverse

    // Tables
    case missingTable
    case missingColumn
    case missingEntity
    case unknownEntity
    case repeatedEntity
    case unnamedEntity
    case formerName
    case otherParent
    case otherEntityNumber
    case addedTable
    case addedColumn
    case addedIndex
    case missingIndex
    case addedView
    case addedTrigger
    case otherDeclaration

    // Rows
    case rowWithoutEntity
    case unreadEntityNumber
    case exceededMaximum
    case otherKind
    case missingValue
    case repeatedValue
    case outOfRange
    case badText
    case badUUID
    case badExternalData
    case unreadExternalFile
    case surplusExternalFiles
    case foreignValue

    // Relationships
    case missingRow
    case rowOfOtherEntity
    case otherReferenceEntity
    case oneSided
    case emptyColumn
    case missingOrder
    case repeatedOrder
    case otherLinks
  }

  /// The kind of finding.
  public var code: Code
  /// The table.
  public var table: String
  /// The row: its `Z_PK`, in a join table its `rowid`; nil if the whole table is concerned.
  public var row: Int64?
  /// The column; nil if the whole row or table is concerned.
  public var column: String?
  /// The name of an entity or a property, where the place does not tell it.
  public var name: String?
  /// True if the store is sound all the same.
  public var isNote: Bool

  /// Creates a finding; whether it is a note follows from its code unless told otherwise.
  public init(
    _ code: Code, table: String, row: Int64? = nil, column: String? = nil, name: String? = nil,
    isNote: Bool? = nil
  ) {
    self.code = code
    self.table = table
    self.row = row
    self.column = column
    self.name = name
    self.isNote = isNote ?? code.isNote
  }
}

extension StoreFinding.Code {
  /// True if a store with such a finding is sound: Core Data opens it and reads its rows.
  fileprivate var isNote: Bool {
    switch self {
    // What cannot be checked, what an older version of the model or of the framework left behind,
    // what is checked only when a row is saved, the table of two that Core Data leaves alone, what
    // it does not look at, and a log that may be as it was left.
    case .missingLog, .unfinishedLog, .otherHeader, .otherVersion, .uncheckedHash, .missingHashes,
      .uncheckedProperty, .oneSidedInverse, .unknownEntity, .otherFramework, .otherConfiguration,
      .formerName, .unreadEntityNumber,
      .otherEntityNumber, .emptyColumn, .missingValue, .repeatedValue, .otherLinks, .addedTable,
      .addedColumn, .addedIndex, .missingIndex, .otherDeclaration, .foreignValue,
      .surplusExternalFiles:
      true
    default: false
    }
  }
}

extension StoreFinding: CustomStringConvertible {
  /// The finding in words, after its place: `TABLE row N, COLUMN: what is found`.
  ///
  /// A finding about the whole store has no place.
  public var description: String {
    var place = table
    if let row { place += " row \(row)" }
    if let column { place += row == nil ? " \(column)" : ", \(column)" }
    return place.isEmpty ? sentence : "\(place): \(sentence)"
  }

  private var sentence: String {
    let name = name ?? "?"
    return switch code {
    case .missingLog:
      "there is a -shm file, but no log: rows that were only in the log are missing"
    case .damagedLog: "the log is damaged or cut off: what it holds from there on is missing"
    case .unfinishedLog:
      "the log ends within a transaction, which was not completed or is cut off: nothing of it is read"
    case .otherHeader: "the number in the header of the database is not 0"
    case .otherVersion: "it is not 1, the version of all known stores"
    case .damagedDatabase: "the database is damaged: \(name)"
    case .unreadable: name

    case .otherHashesVersion: "the version hashes follow different rules (version \(name))"
    case .otherHash: "the version hash of \(name) differs from the model's"
    case .uncheckedHash:
      "the version hash of \(name) is not checked: it has derived or composite attributes"
    case .missingHashes: "the store has no version hashes: Mac OS X 10.4 wrote none"
    case .otherDigest: "it does not match the version hashes"
    case .badIdentifier: "the identifier of the store is not a UUID"
    case .otherStoreType: "NSStoreType is \(name) instead of SQLite"
    case .otherVacuumLevel: "_NSAutoVacuumLevel is \(name) instead of 2"
    case .otherFramework:
      "NSPersistenceFrameworkVersion is \(name), not that of a conversion: Core Data has written to the store"
    case .damagedModel: "the model in the store is damaged"
    case .surplusModelBytes: "further bytes follow the model in the store"
    case .otherConfiguration:
      "the store holds one configuration of the model, which is without \(name)"
    case .uncheckedProperty: "\(name) is not checked: its stored form is unknown"

    case .oneSidedInverse: "the inverse of \(name) does not refer back in the model"

    case .missingTable: "the table is missing"
    case .missingColumn: "the column is missing"
    case .missingEntity: "the entity \(name) is missing"
    case .unknownEntity: "the model has no entity \(name)"
    case .repeatedEntity: "the entity \(name) is listed twice"
    case .unnamedEntity: "the entity has no name"
    case .formerName: "the entity \(name) has its former name here"
    case .otherParent: "the entity \(name) has a different parent in the model"
    case .otherEntityNumber: "the entity \(name) has a different number in the model"
    case .addedTable: "the model has no such table"
    case .addedColumn: "the model has no such column"
    case .addedIndex: "the model has no index \(name)"
    case .missingIndex: "the index \(name) is missing"
    case .addedView: "Core Data makes no such view"
    case .addedTrigger: "Core Data makes no trigger \(name)"
    case .otherDeclaration: "it is declared differently"

    case .rowWithoutEntity: "no entity with this number has rows in this table"
    case .unreadEntityNumber:
      "it is not the number of the entity, which Core Data does not read in a table of one entity"
    case .exceededMaximum: "it is less than the greatest key of \(name)"
    case .otherKind: "the value does not match the attribute's type"
    case .missingValue: "a required value is missing"
    case .repeatedValue: "another row has the same, though \(name) is unique in the model"
    case .outOfRange: "the number does not fit the attribute's type"
    case .badText: "the text is not UTF-8"
    case .badUUID: "a UUID is not 16 bytes long"
    case .badExternalData: "it does not say where the data is"
    case .unreadExternalFile: name
    case .surplusExternalFiles: "no row refers to \(name) in it"
    case .foreignValue: "the entity of the row has no such property"

    case .missingRow: "it refers to a row that does not exist"
    case .rowOfOtherEntity: "it refers to a row of the wrong entity"
    case .otherReferenceEntity: "it is not the entity of the referenced row"
    case .emptyColumn: "what goes with it is empty in every row: the store does not keep it"
    case .oneSided: "the referenced row does not refer back"
    case .missingOrder: "the position in the ordered collection is missing"
    case .repeatedOrder: "another row has the same position in the ordered collection"
    case .otherLinks:
      "its links differ from those of \(name), of which Core Data uses one or the other"
    }
  }
}
