/// Something that a user of a store should know, though the store can be read.
package struct StoreNote: Sendable, Equatable {
  /// The kinds of note.
  package enum Code: String, Sendable, CaseIterable {
    /// The shared memory of a write-ahead log is there, the log is not.
    case missingLog
    /// The write-ahead log is damaged, or not all there.
    case damagedLog
    /// The write-ahead log ends within a transaction.
    case unfinishedLog
    /// A table has counted further than its last row.
    case keysBeyondRows
    /// Rows do not have the number of the only entity of their table, which Core Data does not read.
    case otherNumbers
    /// The store holds the entities of one configuration of its model.
    case configuration
    /// The given model is not the one that the store was written by.
    case otherModel
    /// The store does not say by which model it was written.
    case unknownModel
    /// The hashes of the model follow rules of a version that is not known.
    case otherHashesVersion
    /// A column of a table of entities belongs to no property.
    case surplusColumn
    /// An index does not have the links that its table has: they are read without it.
    case otherIndex
    /// The two tables that a relationship may have differ.
    case otherLinks
    /// Members of ordered relationships have no place of their own.
    case sharedPlaces
    /// The store has no name that a store could keep which takes its place.
    case badIdentifier
    /// A glob of columns fits none of a database.
    case unusedGlob
    /// Something is to be known of the choice of the model's version.
    case match
  }

  package var code: Code
  /// Names that the code alone does not tell: of a table, a column, entities, or a number.
  package var name: String

  package init(_ code: Code, name: String = "") {
    (self.code, self.name) = (code, name)
  }
}

extension StoreNote.Code {
  /// True if rows may be missing that another program has saved.
  var mayMissRows: Bool { self == .missingLog || self == .damagedLog || self == .unfinishedLog }
}

extension StoreNote {
  /// The note on the entities of a model that the store has no place for, since they belong to other
  /// configurations; nil if there are none.
  init?(ofOtherConfigurations names: [String]) {
    guard !names.isEmpty else { return nil }
    self.init(.configuration, name: names.joined(separator: ", "))
  }
}

extension StoreNote: CustomStringConvertible {
  /// The note in words.
  package var description: String {
    switch code {
    case .missingLog:
      "a -shm file is beside the store, but no -wal file: rows that were only in the latter are missing"
    case .damagedLog:
      "the -wal file beside the store is damaged or cut off: what it holds from there on is missing"
    case .unfinishedLog:
      "the -wal file beside the store ends within a transaction, which was not completed or is cut off: nothing of it is read"
    case .keysBeyondRows:
      "the last rows of \(name) were deleted, or were in a -wal file that is missing"
    case .otherNumbers:
      "the number of the entity is missing or another in \(name), which is read all the same: Core Data does not look at it in a table of one entity"
    case .configuration:
      "the store holds one configuration of its model, which is without \(name)"
    case .otherModel:
      "the model is not the one that the store was written by; it differs in \(name)"
    case .unknownModel: "the store does not say which model it was written by"
    case .otherHashesVersion:
      "the model hashes of the store are of version \(name), which is not known: not compared"
    case .surplusColumn: "the column \(name) belongs to no property of the model, and is left out"
    case .otherIndex:
      "the index \(name) does not match its table, and is not used: the store is damaged"
    case .otherLinks:
      "the tables \(name) differ, though they are of one relationship and Core Data uses only one of them: the links of both are read"
    case .sharedPlaces:
      "members of an ordered relationship have the same place in \(name), or none: they are in the order of their keys"
    case .badIdentifier:
      "its identifier is not a UUID: a Core Data store that is made of it gets a new one"
    case .unusedGlob: "it has no column \(name)"
    case .match: name
    }
  }
}
