import Mappings

/// The rows that a migration makes of source objects, and what there is to know of them.
package struct MigratedRows {
  /// For each entity mapping, the rows that it made of objects of which others are made as well, or
  /// that its policy made.
  var associations: [AssociationList]
  /// For each entity mapping, the objects that were given to its policy.
  var sources: [[UInt32]]
  /// For each entity mapping, how many source objects it was given, as far as they are not all of a
  /// class.
  var selected: [Int]
  package var uses = PolicyUses()
  /// For each table, the last row of the walk over the store; nil as long as that lasts.
  var walkedIDs: [Int64]?
  /// Rows that policies have deleted.
  var gone: Set<RowReference> = []
  /// The number of rows that policies have made.
  var madeCount = 0
  /// The number of links replaced by others or left out, since an end leads to one object alone.
  package var replacedLinks = 0
  /// The row for which an expression is evaluated.
  var destination: RowReference?

  init(count: Int) {
    associations = Array(repeating: AssociationList(), count: count)
    sources = Array(repeating: [], count: count)
    selected = Array(repeating: 0, count: count)
  }
}
