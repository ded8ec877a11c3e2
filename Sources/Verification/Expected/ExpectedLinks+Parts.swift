extension ExpectedLinks {
  /// The value of a to-one relationship of a row.
  struct Cell {
    /// The row that it leads to; 0 for none.
    var target: Int64 = 0
    var targetEntity: Int32 = -1
    /// The place in the collection of that row; -1 for none.
    var position: Int32 = -1
    /// The turn in which the owning side said so, and the one in which the row itself did.
    var ownerArchive: Int32 = -1
  }

  /// A link that has a row of a table of its own.
  struct Link {
    var owner: Int64
    var member: Int64
    var memberEntity: Int
    var position: Int64?
    var inversePosition: Int64?
  }
}
