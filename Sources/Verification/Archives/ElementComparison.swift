import ArchiveReader
internal import CSQLite
import DataModel
import Importer
import Stores

/// Compares the rows of a table of elements with the collections of their owners, one after the
/// other.
struct ElementComparison {
  private let scan: Scan
  private let verifier: ArchiveVerifier
  private let index: Int?
  private let isInverse: Bool
  private let property: String
  private let cursor: RowCursor
  private var comparer = CellComparer()
  /// The links of a relationship of which both sides may speak, by owner.
  private var links: [ExpectedLinks.Link]?
  private var nextLink = 0
  private var linksHavePositions = false
  /// For unordered collections, the elements that were not matched at the same position.
  private var missing: [(key: [UInt8], words: String)] = []
  private var found: [(key: [UInt8], words: String)] = []

  init(
    _ scan: Scan, _ verifier: ArchiveVerifier, index: Int?, isInverse: Bool = false,
    property: String, cursor: RowCursor
  ) {
    self.scan = scan
    self.verifier = verifier
    self.index = index
    self.isInverse = isInverse
    self.property = property
    self.cursor = cursor
  }

  mutating func takeLinks(
    _ links: [ExpectedLinks.Link], _ relationship: StoredRelationship, behind first: Int64
  ) {
    self.links = links
    linksHavePositions = relationship.isOrdered
    nextLink = links.firstIndex { $0.owner > first } ?? links.count
  }

  // MARK: Owners

  /// Compares what the table has of a row.
  mutating func compare(_ row: ExpectedRow) throws {
    if links != nil {
      try compareLinks(of: row)
      return
    }
    let contents = index.flatMap { row.contents[$0] } ?? []
    let isShared = index.map { verifier.plan.layout.elementTables[$0].isShared } ?? false
    try begin(row)
    for content in contents {
      switch content {
      case .collection(let id, let kind, let property):
        let elements = try verifier.expectedRows.graph.elements(of: id, kind)
        for position in 0..<elements.count {
          let element = try verifier.expectedRows.element(
            elements, at: position, hasPlace: isShared)
          try compare(element, row, property)
        }
      case .elements(let elements, let property):
        for element in elements { try compare(element, row, property) }
      }
    }
    try end(row)
  }

  private mutating func compareLinks(of row: ExpectedRow) throws {
    try begin(row)
    while let link = links?[safely: nextLink], link.owner <= row.id {
      nextLink += 1
      guard link.owner == row.id else { continue }
      var element = ExpectedElement()
      if linksHavePositions { element.position = link.position }
      element.value = .row(RowReference(entity: link.memberEntity, id: link.member))
      element.inversePosition = link.inversePosition.map { .integer($0) } ?? .nothing
      try compare(element, row, property)
    }
    try end(row)
  }

  /// Compares the elements of one collection that has a row of its own.
  mutating func compare(
    _ elements: GraphElements, of row: ExpectedRow
  ) throws {
    try begin(row)
    for position in 0..<elements.count {
      try compare(try verifier.expectedRows.element(elements, at: position), row, "")
    }
    try end(row)
  }

  /// Reports the rows that are left: they belong to no row.
  mutating func finish() throws {
    while cursor.isAtRow {
      unexpected(owner: cursor.integer(scan.owner))
      try cursor.advance()
    }
  }

  private mutating func begin(_ row: ExpectedRow) throws {
    while cursor.isAtRow, let owner = cursor.integer(scan.owner), owner < row.id {
      unexpected(owner: owner)
      try cursor.advance()
    }
  }

  private func unexpected(owner: Int64?) {
    verifier.difference(nil, scan.table, owner, "", "nothing", foundWords)
  }

  private func isAt(_ row: ExpectedRow) -> Bool {
    cursor.isAtRow && cursor.integer(scan.owner) == row.id
  }

  private mutating func end(_ row: ExpectedRow) throws {
    while isAt(row) {
      if let column = scan.position, let position = cursor.integer(column) {
        difference(
          row, "\(property)[\(position)]", "nothing", foundWords)
      } else {
        found.append((foundKey, foundWords))
      }
      try cursor.advance()
    }
    guard !missing.isEmpty || !found.isEmpty else { return }
    cancel()
    // What is in excess on both sides is told in pairs.
    for index in 0..<max(missing.count, found.count) {
      difference(
        row, property, missing[safely: index]?.words ?? "nothing",
        found[safely: index]?.words ?? "nothing")
    }
    missing = []
    found = []
  }

  /// Leaves out what stands on both sides.
  private mutating func cancel() {
    var counts: [[UInt8]: Int] = [:]
    for element in missing { counts[element.key, default: 0] += 1 }
    found.removeAll { element in
      guard let count = counts[element.key], count > 0 else { return false }
      counts[element.key] = count - 1
      return true
    }
    missing.removeAll { element in
      guard let count = counts[element.key], count > 0 else { return true }
      counts[element.key] = count - 1
      return false
    }
  }

  private func difference(
    _ row: ExpectedRow, _ property: String, _ expected: @autoclosure () -> String,
    _ found: @autoclosure () -> String
  ) {
    if let edits = verifier.workers.edits, let uid = row.uid {
      let elements = StoreEdits.Elements(
        table: index, owner: row.id, uid: uid, isInverse: isInverse)
      return edits.note(elements)
    }
    verifier.difference(row.uid, row.entity, row.id, property, expected(), found())
  }

  // MARK: Elements

  private mutating func compare(
    _ expected: ExpectedElement, _ row: ExpectedRow, _ property: String
  ) throws {
    count(expected)
    if let position = expected.position, let column = scan.position {
      while isAt(row), cursor.integer(column).map({ $0 < position }) ?? true {
        let words = cursor.copy(column).words
        difference(
          row, "\(property)[\(words)]", "nothing", foundWords)
        try cursor.advance()
      }
      guard isAt(row), cursor.integer(column) == position else {
        difference(
          row, "\(property)[\(position)]", words(expected), "nothing")
        return
      }
      if !isEqual(expected) {
        difference(
          row, "\(property)[\(position)]", words(expected), foundWords)
      }
      try cursor.advance()
      return
    }
    guard isAt(row) else {
      missing.append((key(expected), words(expected)))
      return
    }
    if !isEqual(expected) {
      missing.append((key(expected), words(expected)))
      found.append((foundKey, foundWords))
    }
    try cursor.advance()
  }

  /// Counts an element; its key goes with it.
  private func count(_ expected: ExpectedElement) {
    switch expected.value {
    case .nothing: break
    case .plain(let value): if !value.isNothing { verifier.findings.countValue() }
    case .row, .collection: verifier.findings.countLink()
    }
  }

  /// The columns of an element, each with what it must hold.
  private func cells(_ expected: ExpectedElement) -> [(column: Int?, value: ExpectedValue)] {
    let plan = verifier.plan
    return [
      (scan.position, expected.position.map { .integer($0) } ?? .nothing),
      (scan.key, expected.key.plain), (scan.keyReference, expected.key.reference),
      (scan.keyType, expected.key.table(plan)), (scan.value, expected.value.plain),
      (scan.reference, expected.value.reference),
      (scan.referenceType, expected.value.table(plan)),
      (scan.inversePosition, expected.inversePosition),
    ]
  }

  private mutating func isEqual(_ expected: ExpectedElement) -> Bool {
    for (column, value) in cells(expected) {
      guard let column else { continue }
      guard
        unsafe comparer.isEqual(
          cursor[column], value, isReal: scan.isReal[column], verifier.expectedRows.graph)
      else { return false }
    }
    return scan.others.allSatisfy { unsafe cursor[$0.cell].kind == csq_kind_null }
  }

  /// The cells of an element as bytes: texts count by these.
  private func key(_ expected: ExpectedElement) -> [UInt8] {
    let cells = cells(expected).compactMap { column, value -> String? in
      guard let column, column != scan.inversePosition || links != nil else { return nil }
      // In a column of reals, SQLite keeps whole numbers as reals, and no sign of zero.
      return "\(column)" + verifier.stored(value, isReal: scan.isReal[column]).key
    }
    return Array(cells.joined(separator: "\n").utf8)
  }

  private var foundKey: [UInt8] {
    // Where no links are expected, the position on the other side is compared from there.
    let columns = [
      scan.position, scan.key, scan.keyReference, scan.keyType, scan.value, scan.reference,
      scan.referenceType, links == nil ? nil : scan.inversePosition,
    ]
    let others = scan.others.map(\.cell).filter { unsafe cursor[$0].kind != csq_kind_null }
    let cells = (columns.compactMap { $0 } + others).map { "\($0)" + cursor.copy($0).key }
    return Array(cells.joined(separator: "\n").utf8)
  }

  // MARK: Words

  private func words(_ expected: ExpectedElement) -> String {
    var value = words(expected.value)
    if links != nil, scan.inversePosition != nil {
      value += inverseWords(verifier.stored(expected.inversePosition, isReal: false))
    }
    return expected.key.isNothing ? value : "\(words(expected.key)): \(value)"
  }

  /// The position that an element has in the collection of the other side.
  private func inverseWords(_ position: StoredValue) -> String {
    " with position \(position.words)"
  }

  private func words(_ item: ExpectedElement.Item) -> String {
    switch item {
    case .nothing: "NULL"
    case .plain(let value): verifier.words(value)
    case .row(let row): "\(verifier.plan.layout.table(of: row.entity).name) \(row.id)"
    case .collection(let row): "\(RelationalLayout.collectionTable) \(row)"
    }
  }

  private var foundWords: String {
    func words(_ value: Int?, _ reference: Int?, _ type: Int?) -> String {
      if let reference, let row = cursor.integer(reference) {
        guard let type, case .text(let table) = cursor.copy(type) else { return "\(row)" }
        return "\(table) \(row)"
      }
      return value.map { cursor.copy($0).words } ?? "NULL"
    }
    var value = words(scan.value, scan.reference, scan.referenceType)
    if links != nil, let column = scan.inversePosition {
      value += inverseWords(cursor.copy(column))
    }
    guard scan.key != nil || scan.keyReference != nil else { return value }
    return "\(words(scan.key, scan.keyReference, scan.keyType)): \(value)"
  }
}

extension Array {
  /// The element at an index; nil if there is none.
  fileprivate subscript(safely index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
