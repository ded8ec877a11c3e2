extension SchemaProfile {
  /// Finds things by their names, in the order in which they were added.
  ///
  /// Few are compared one by one, and what is asked for mostly comes after what was asked for
  /// before: the archives of a program show their classes and keys in the same order.
  struct NameIndex: Sendable {
    /// The places, once there are many.
    private var places: [String: Int] = [:]
    private var count = 0
    /// The place that is looked at first.
    private var next = 0

    /// The number of names that are compared one by one.
    private static let few = 16

    /// The place of a name among things, if it was added.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - things: The things that were added, in order.
    ///   - nameOf: The name of a thing.
    /// - Returns: Its place.
    mutating func index<Thing>(
      of name: String, in things: [Thing], _ nameOf: (Thing) -> String
    ) -> Int? {
      if next < count, nameOf(things[next]) == name {
        next += 1
        return next - 1
      }
      guard let index = knownIndex(of: name, in: things, nameOf) else { return nil }
      next = index + 1
      return index
    }

    /// As `place(of:in:_:)`, for those who do not ask for one after the other.
    func knownIndex<Thing>(
      of name: String, in things: [Thing], _ nameOf: (Thing) -> String
    ) -> Int? {
      guard count > Self.few else {
        return things.indices.first { nameOf(things[$0]) == name }
      }
      return places[name] ?? things.indices.prefix(Self.few).first { nameOf(things[$0]) == name }
    }

    /// Adds a name after the others.
    mutating func add(_ name: String) {
      if count >= Self.few { places[name] = count }
      count += 1
      next = count
    }
  }
}
