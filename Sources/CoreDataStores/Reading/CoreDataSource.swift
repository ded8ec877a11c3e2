import DataModel
import Foundation
import GraphCore
import Support

/// A database of an application, or a store of another form.
package protocol StoreSource: GraphSource {
  /// Parts of the store that are no objects, with counts: histories, tables that no entity has.
  var leftOut: [StoreRemainder] { get }
  /// The notes for users of the store, which can be read all the same.
  var notes: [StoreNote] { get }
}

extension StoreSource {
  package var notes: [StoreNote] { [] }

  /// The remarks on the store for the report: the notes on it, and what is left out.
  package var remarks: [String] {
    let metadata = (self as? any CoreDataSource)?.metadata
    let identity = metadata?.hasIdentity ?? true ? [] : [StoreNote(.badIdentifier)]
    return (notes + identity).map(\.description) + leftOut.filter { $0.rows > 0 }.map(\.description)
  }

  /// True if the store is known to hold nothing besides its objects, and to be all there.
  package var isWhole: Bool {
    leftOut.allSatisfy { $0.rows == 0 } && !notes.contains { $0.code.mayMissRows }
  }
}

/// Objects with a name and a key by which people know them.
package protocol ObjectKeys {
  /// The entity of an object and its primary key in the store; nil for a number that no object has.
  func storeKey(ofObject uid: Int) -> (entity: String, key: Int64)?
}

extension ObjectKeys {
  /// The position of an object and a property in errors.
  func position(of uid: Int, _ property: String? = nil) -> ArchiveError.Position {
    guard let (entity, key) = storeKey(ofObject: uid) else { return .object(uid, key: property) }
    return .record("\(entity) \(key)", property: property)
  }

  /// An error with the object that it is at by its entity and primary key.
  func named(_ error: ArchiveError) -> ArchiveError {
    guard case .object(let uid, let property) = error.position else { return error }
    var error = error
    error.position = position(of: uid, property)
    return error
  }
}

/// A Core Data store of any kind.
package protocol CoreDataSource: ModelledSource, StoreSource, ObjectKeys {
  /// The store's own metadata.
  var metadata: CoreDataMetadata { get }
  /// A look-up of objects by entity and primary key.
  func makeKeyLookup() -> (_ entity: String, _ key: Int64) -> Int?
}

extension CoreDataSource {
  /// Refuses a store of which a value or a link cannot be read: opening one reads no values.
  ///
  /// - Throws: `ArchiveError`, the first that a reader would meet.
  /// - Complexity: Linear in the values and links of the store.
  package func checkValues() throws(ArchiveError) {
    let graph = makeGraph(GraphOptions())
    do throws(ArchiveError) {
      var next = 0
      while let (uid, _) = try graph.ownObject(from: next) {
        next = uid + 1
        let object = try graph.object(uid)
        for position in 0..<object.keyCount {
          guard case .collection(let id, let kind) = try graph.value(of: object, at: position)
          else { continue }
          let elements = try graph.elements(of: id, kind)
          for place in 0..<elements.count { _ = try graph.value(of: elements, at: place) }
        }
      }
    } catch {
      throw explained(error)
    }
  }

  package func place(ofObject uid: Int) -> ObjectPlace {
    ObjectPlace(row: storeKey(ofObject: uid).map { ($0.entity, $0.key) })
  }

  package func number(ofObject uid: Int) -> Int64 {
    storeKey(ofObject: uid)?.key ?? Int64(uid)
  }

  package func makeNumberLookup() -> (_ number: Int64, _ className: String) -> Int? {
    let find = makeKeyLookup()
    return { number, name in find(name, number) }
  }
}

/// Something in a store that is no object of its model.
package struct StoreRemainder: Sendable, Equatable {
  /// The kinds of it.
  package enum Kind: String, Sendable {
    /// Core Data's history of changes.
    case history
    /// Core Data's mirror of the store in CloudKit.
    case cloud
    /// A table that belongs to no entity.
    case table
    /// Files with external data.
    case files
    /// A virtual table, with the tables in which it keeps its data.
    case virtual
  }

  package var kind: Kind
  /// The table, or the folder of the files.
  package var name: String
  /// The number of its rows or files.
  package var rows: Int

  package init(_ kind: Kind, name: String, rows: Int) {
    (self.kind, self.name, self.rows) = (kind, name, rows)
  }
}

extension StoreRemainder: CustomStringConvertible {
  /// The part that is left out, in words.
  package var description: String {
    let place = kind == .files ? name : "the table \(name)"
    return kind == .virtual
      ? "\(place) is left out: \(kind.words)" : "\(place) is left out (\(count)): \(kind.words)"
  }

  /// The number of rows or files, in words.
  package var count: String { Words.count(rows, kind == .files ? "file" : "row") }
}

extension StoreRemainder.Kind {
  /// Why it is left out, in words.
  package var words: String {
    switch self {
    case .history: "Core Data's history of changes"
    case .cloud: "it mirrors the store in CloudKit"
    case .table: "it belongs to no entity"
    case .files: "no row refers to it"
    case .virtual: "virtual tables are not run, and the tables in which they keep data not read"
    }
  }
}

/// Losses of a store that is salvaged: the first of them, and their number.
struct LossList: Sendable {
  private(set) var losses: [ArchiveError] = []
  /// The number of losses, listed or not.
  private(set) var count = 0

  /// The greatest number of losses that are listed: damage can be in every value.
  static let maxCount = 10_000

  mutating func append(_ error: ArchiveError) {
    count += 1
    if losses.count < Self.maxCount { losses.append(error) }
  }

  /// Adds the losses of another list.
  mutating func append(_ other: LossList) {
    for loss in other.losses { append(loss) }
    count += other.count - other.losses.count
  }
}

/// The entities of the model of a store, as far as the store tells.
public enum StoreEntities: Sendable, Equatable {
  /// The version hash of each entity: stores since Mac OS X 10.5.
  case hashes([String: Data])
  /// The names alone, without regard to case: older stores, and those with hashes of rules that are
  /// not known.
  ///
  /// An XML store without hashes names only the entities that it has objects of.
  case names(Set<String>, isComplete: Bool)
  /// For each entity that the store has objects of, the names of the properties that these have,
  /// without regard to case: XML stores without hashes.
  case properties([String: Set<String>])

  /// The entities that a store's metadata tells of.
  ///
  /// - Parameters:
  ///   - metadata: The metadata.
  ///   - names: The names of entities that the rest of the store gives.
  ///   - isComplete: True if these are all entities of the model.
  package init(_ metadata: CoreDataMetadata, names: Set<String>, isComplete: Bool) {
    if metadata.versionHashes.isEmpty {
      self = .names(names, isComplete: isComplete)
    } else if !metadata.hasKnownHashes {
      self = .names(Set(metadata.versionHashes.keys), isComplete: true)
    } else {
      self = .hashes(metadata.versionHashes)
    }
  }
}

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
