import ArchiveReader
internal import CSQLite
import DataModel
import Importer
import Stores

extension BookkeepingVerifier {
  /// The objects that the rows of an archive must be said to be, in `_objects`.
  struct ExpectedOrigins {
    /// The result for a row.
    enum Answer {
      case right
      /// No object stands after it.
      case unknown
      /// A column says something else of the object.
      case wrong(uid: Int, column: Int, expected: String)
    }

    private struct Origin: Hashable {
      var uid: Int
      var row: Int64
    }

    private let allExpected: [ExpectedRows]
    private var routes: ObjectRoutes?
    /// Finds the object that a row tells of by its number and class.
    private let find: (_ number: Int64, _ className: String) -> Int?
    /// For each pass, the objects of which a row was found.
    private var seen: [[Bool]]
    /// The same for those that became several rows, or others' rows.
    private var seenOthers: [Set<Origin>]

    init(_ allExpected: [ExpectedRows]) {
      self.allExpected = allExpected
      routes = allExpected.first.map { ObjectRoutes($0.graph.copy()) }
      find = allExpected.first?.graph.source.makeNumberLookup() ?? { _, _ in nil }
      seen = allExpected.map { Array(repeating: false, count: $0.ledger.objectCount) }
      seenOthers = allExpected.map { _ in [] }
    }

    /// Takes a row: its object, class, table and id.
    mutating func take(_ found: ArchiveRows) throws -> Answer {
      var className = ""
      if case .text(let text) = unsafe StoredValue(found[1]) { className = text }
      guard unsafe found[0].kind == csq_kind_integer,
        let uid = unsafe find(found[0].integer, className)
      else {
        return .unknown
      }
      var answer = Answer.unknown
      for (index, expectedRows) in allExpected.enumerated()
      where (0..<expectedRows.ledger.objectCount).contains(uid) {
        for row in try rows(of: uid, expectedRows) {
          let isSeen =
            expectedRows.several[uid] == nil
            ? seen[index][uid] : seenOthers[index].contains(Origin(uid: uid, row: row.id))
          guard !isSeen else { continue }
          let object = try expectedRows.graph.object(uid)
          let name = ArchivedName.plain(expectedRows.graph.classes[object.class.index].name)
          let table = expectedRows.plan.layout.table(of: row.entity).name
          let isSameRow = unsafe found[3].kind == csq_kind_integer && found[3].integer == row.id
          var wrong: (column: Int, expected: StoredValue)?
          if unsafe !CellComparer.isEqual(found[1], name) {
            wrong = (1, .text(name))
          } else if unsafe !CellComparer.isEqual(found[2], table) {
            wrong = (2, .text(table))
          } else if !isSameRow {
            wrong = (3, .integer(row.id))
          }
          // Of several rows of an object, the one with the same id is meant.
          if let wrong, !isSameRow, expectedRows.several[uid] != nil {
            answer = .wrong(uid: uid, column: wrong.column, expected: wrong.expected.words)
            continue
          }
          if expectedRows.several[uid] == nil {
            seen[index][uid] = true
          } else {
            seenOthers[index].insert(Origin(uid: uid, row: row.id))
          }
          if wrong == nil { wrong = try wrongPlace(of: uid, found) }
          guard let wrong else { return .right }
          return .wrong(uid: uid, column: wrong.column, expected: wrong.expected.words)
        }
      }
      return answer
    }

    /// The first column of a row that does not tell the place of its object.
    private mutating func wrongPlace(
      of uid: Int, _ found: ArchiveRows
    ) throws -> (column: Int, expected: StoredValue)? {
      let first = BookkeepingVerifier.originColumns.count
      guard found.columns.count > first, let cells = try routes?.cells(of: uid) else { return nil }
      let place = cells.indices.first { unsafe StoredValue(found[first + $0]) != cells[$0] }
      return place.map { (first + $0, cells[$0]) }
    }

    /// The number of an object as reports list it.
    func reportedNumber(of uid: Int) -> Int {
      allExpected.first?.graph.source.reportedNumber(ofObject: uid) ?? uid
    }

    /// The objects that no row was found of.
    func missing() throws -> [(uid: Int, words: String)] {
      var missing: [(uid: Int, words: String)] = []
      for (index, expectedRows) in allExpected.enumerated() {
        for uid in 0..<expectedRows.ledger.objectCount
        where missing.count < VerificationResult.maxDifferences {
          guard expectedRows.ledger.hasRow(uid) || expectedRows.several[uid] != nil,
            expectedRows.several[uid] != nil || !seen[index][uid]
          else { continue }
          for row in try rows(of: uid, expectedRows)
          where expectedRows.several[uid] == nil
            || !seenOthers[index].contains(Origin(uid: uid, row: row.id))
          {
            missing.append(
              (uid, "\(expectedRows.plan.layout.table(of: row.entity).name) \(row.id)"))
          }
        }
      }
      return missing
    }

    /// The rows that a pass has made of an object.
    private func rows(of uid: Int, _ expectedRows: ExpectedRows) throws -> [RowReference] {
      if let several = expectedRows.several[uid] { return several.map(\.reference) }
      guard expectedRows.ledger.hasRow(uid) else { return [] }
      let object = try expectedRows.graph.object(uid)
      let entity: Int
      switch expectedRows.classPlan(of: object.class) {
      case .plain(let index, _): entity = index
      case .mapped(let indices): entity = expectedRows.pass.entities[indices[0]].entity
      default: return []
      }
      let table = expectedRows.plan.layout.entities[entity].table
      return expectedRows.ledger.row(of: uid, in: table).map {
        [RowReference(entity: entity, id: $0)]
      }
        ?? []
    }
  }
}
