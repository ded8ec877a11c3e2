import GraphCore

// Links that are kept rather than looked up.
extension StoreMigrationEngine {
  /// Keeps the links of a pair of relationships from now on, with all that entity mappings without
  /// a policy say of them.
  ///
  /// - Complexity: Linear in the objects of these entity mappings and in their links.
  func keepLinks(of pair: Int) throws(MigrationError) {
    let declared = state.program.destination.pairs[pair]
    state.tables[pair] = LinkTable(
      declared.sides[0], declared.sides[1], isSymmetric: declared.isSymmetric)
    guard state.program.isLazy[pair] else { return }
    for index in state.program.mappings.indices { try addLinks(of: pair, index) }
  }

  /// Adds the links of a pair that an entity mapping without a policy says.
  func addLinks(of pair: Int, _ index: Int) throws(MigrationError) {
    let mapping = state.program.mappings[index]
    guard !mapping.isEager, let entity = mapping.destinationEntity else { return }
    let properties = state.program.destination.entities[entity].properties
    for (position, property) in properties.enumerated() {
      guard case .relationship(_, pair, let side) = property.content else { continue }
      let value = mapping.values[position]
      if case .none = value { continue }
      for rank in unsafe 0..<state.plain[index].count {
        let members: [Int]
        do {
          members = try unsafe resolver.members(
            value, scope.reader, of: state.plain[index][rank], index, property)
        } catch let error as MigrationError {
          throw error
        } catch {
          throw MigrationError(
            .unreadableSource, entityMapping: mapping.info.name, property: property.name,
            name: "\(error)")
        }
        unsafe state.tables[pair]?.set(
          members, of: state.bases[index] + rank, side: side, keepsOthers: true)
      }
    }
  }
}
