import DataModel
import Stores

extension ImportPlan {
  /// The relational table of the elements that an entity of a drafted model stands for.
  ///
  /// - Parameter drafted: What the entity is for.
  /// - Returns: The table of the elements of a property, of what finds no room in an entity's own,
  ///   or of unowned collections; nil for other tables, and where the layout has none.
  package func elementTable(of drafted: DraftedTable) -> RelationalLayout.ElementTable? {
    switch drafted {
    case .elements(let entity, let property):
      hierarchy.index(of: entity)
        .flatMap { layout.entities[$0].properties[property]?.elements }
        .map { layout.elementTables[$0] }
    case .overflow(let entity):
      hierarchy.index(of: entity).flatMap { layout.entities[$0].overflow }
        .map { layout.elementTables[$0] }
    case .collectionElements: RelationalLayout.collectionElements
    case .collections, .topLevel: nil
    }
  }
}
