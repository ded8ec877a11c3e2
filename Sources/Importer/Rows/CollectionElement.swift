import ArchiveReader
import Stores

extension CollectionElement {
  /// An element of a collection, or the key of a pair, ready to be bound.
  ///
  /// Handing out the row of an object can write other rows, so that is done before the element's
  /// own row is begun.
  enum Value {
    case nothing
    case plain(GraphValue)
    /// The value of an object of a value class.
    case value(ImportValue)
    case row(RowReference)
    /// A row of `_collection`.
    case collection(Int64)
  }
}

extension CollectionElement {
  /// The numbers of values and links that elements set.
  struct Written {
    var values = 0
    var links = 0
    /// Values that could not be bound exactly.
    var inexact: [GraphValue] = []
  }
}

/// An element with its key and its place.
struct CollectionElement {
  var position: Int?
  var key: Value?
  var value: Value
}

extension CollectionElement {
  /// Makes an element ready.
  ///
  /// - Parameters:
  ///   - archived: The element as the archive has it.
  ///   - handOut: Makes a value ready, its rows handed out.
  /// - Throws: Any error of `handOut`.
  init(
    _ archived: ArchivedElement, _ handOut: (GraphValue) throws -> Value
  ) rethrows {
    position = archived.position
    key = try archived.key.map(handOut)
    value = try handOut(archived.value)
  }
}

extension RowBuffer {
  /// Sets the columns of an element, but for its owner; returns false if there is no column for it.
  func set(
    _ element: CollectionElement, in table: RelationalLayout.ElementTable, _ plan: ImportPlan,
    _ graph: any ObjectGraph, _ written: inout CollectionElement.Written
  ) -> Bool {
    if let column = table.position, let position = element.position {
      set(column, Int64(position))
    }
    var ofKey = CollectionElement.Written()
    if let key = element.key,
      !set(key, table, table.key, table.keyReference, table.keyType, plan, graph, &ofKey)
    {
      return false
    }
    written.inexact += ofKey.inexact
    return set(
      element.value, table, table.value, table.reference, table.referenceType, plan, graph,
      &written)
  }

  private func set(
    _ element: CollectionElement.Value, _ table: RelationalLayout.ElementTable, _ column: Int?,
    _ reference: Int?, _ type: Int?, _ plan: ImportPlan,
    _ graph: any ObjectGraph, _ written: inout CollectionElement.Written
  ) -> Bool {
    switch element {
    case .nothing:
      return true
    case .plain(let value):
      guard let column else { return false }
      let isReal = table.table.columns[column].type == .real
      if !set(column, to: value, graph, isReal: isReal) { written.inexact.append(value) }
      written.values += 1
    case .value(.real(let number)):
      return set(.plain(.real(number)), table, column, reference, type, plan, graph, &written)
    case .value(let value):
      guard let column else { return false }
      set(column, value)
      written.values += 1
    case .row(let row):
      guard let reference else { return false }
      set(reference, row.id)
      if let type { set(type, plan.layout.table(of: row.entity).name) }
      written.links += 1
    case .collection(let row):
      guard let reference, let type else { return false }
      set(reference, row)
      set(type, RelationalLayout.collectionTable)
      written.links += 1
    }
    return true
  }
}
