import ArchiveReader
import DataModel
import Importer

extension ExpectedRows {
  /// The row that a reference to an object leads to; it is handed out if there is none yet.
  ///
  /// - Parameters:
  ///   - uid: The object.
  ///   - id: Its class.
  ///   - destinations: The entities that fit; none if any does.
  ///   - mapping: The name of the entity mapping whose row is meant.
  /// - Returns: Nil if the object becomes no row.
  /// - Throws: `ArchiveError` if the archive cannot be read.
  func row(
    of uid: Int, _ id: ClassID, fitting destinations: [Int] = [], mapping: String? = nil
  ) throws -> RowReference? {
    if mapping == nil, !run.keepsEarlierRows {
      // There is one row at most, whatever would fit.
      switch use(of: id) {
      case .plain(let entity, let table):
        return RowReference(entity: entity, id: ledger.reachRow(of: uid, table))
      case .simple(let index, let entity, let table):
        let row = ledger.reachRow(of: uid, table, mapping: index)
        return RowReference(entity: entity, id: row)
      case .other:
        break
      }
    }
    if let mapping {
      if let own = try made(uid, id).first(where: { $0.mapping == mapping }) { return own.row }
      return earlier(uid).first { $0.mapping == mapping }?.row
    }
    let own = try made(uid, id).map(\.row)
    let older = earlier(uid).map(\.row)
    guard !destinations.isEmpty else { return older.first ?? own.first }
    func fits(_ row: RowReference) -> Bool {
      destinations.contains { plan.hierarchy.isKind(row.entity, of: $0) }
    }
    return own.first(where: fits) ?? older.first(where: fits) ?? own.first
  }

  /// The rows that this pass makes of an object, each with the name of its entity mapping.
  private func made(_ uid: Int, _ id: ClassID) throws -> [(mapping: String?, row: RowReference)] {
    ledger.reach(uid)
    switch use(of: id) {
    case .plain(let entity, let table):
      return [(nil, RowReference(entity: entity, id: ledger.ownRow(of: uid, table)))]
    case .simple(let index, let entity, let table):
      let row = ledger.ownRow(of: uid, table, mapping: index)
      return [(pass.entities[index].name, RowReference(entity: entity, id: row))]
    case .other:
      guard case .mapped(let indices) = classPlan(of: id) else {
        return earlier(uid).map { ($0.mapping, $0.row) }
      }
      return try resolve(uid, indices).map { (pass.entities[$0.mapping].name, $0.reference) }
    }
  }

  /// The rows that were made of an object before.
  private func earlier(_ uid: Int) -> [(mapping: String, row: RowReference)] {
    guard run.keepsEarlierRows else { return [] }
    return run.earlierRows[SourceKey(archiveID, uid)] ?? []
  }

  /// Notes that an entity mapping made a row of an object.
  func noteMade(_ row: RowReference, of uid: Int, _ mapping: Int) {
    guard run.keepsEarlierRows else { return }
    let name = pass.entities[mapping].name
    let key = SourceKey(archiveID, uid)
    if run.earlierRows[key]?.contains(where: { $0.mapping == name && $0.row == row }) == true {
      return
    }
    run.earlierRows[key, default: []].append((name, row))
  }

  /// The item for a value in a collection or under a top-level key; rows are handed out.
  func item(of value: GraphValue, inCollection: Bool) throws -> ExpectedElement.Item {
    switch value {
    case .null, .nsNull:
      return .nothing
    case .object(let uid, let id):
      if inCollection, usesMapping {
        switch try importValue(of: value) {
        case .null: return .nothing
        case .row(let row): return .row(row)
        case let standing: return .plain(.value(standing))
        }
      }
      return try row(of: uid, id).map { .row($0) } ?? .nothing
    case .collection(let id, let kind):
      return .collection(row(of: id, kind))
    default:
      return .plain(.archived(value))
    }
  }

  /// An element of a collection; with a place where every element has one, or the order counts.
  func element(
    _ elements: GraphElements, at position: Int, hasPlace: Bool = false
  ) throws -> ExpectedElement {
    var element = ExpectedElement()
    if hasPlace || elements.kind.isOrdered { element.position = Int64(position) }
    if elements.kind.isKeyed {
      element.key = try item(of: try graph.key(of: elements, at: position), inCollection: true)
    }
    element.value = try item(of: try graph.value(of: elements, at: position), inCollection: true)
    return element
  }
}
