import DataModel
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
