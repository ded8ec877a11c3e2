extension MigrationState {
  /// The objects of an entity mapping without a policy, whose indices follow each other.
  struct PlainObjects {
    /// No objects.
    static let none = PlainObjects(
      mapping: 0, entity: 0, keyCount: 0, first: 0, sources: SourceList())

    var mapping: Int
    /// Their entity, and how many keys it has.
    var entity: Int
    var keyCount: Int
    /// The index of the first.
    var first: Int
    /// Their source objects.
    var sources: SourceList

    @inline(__always)
    func contains(_ index: Int) -> Bool { index >= first && index - first < sources.count }
  }
}
