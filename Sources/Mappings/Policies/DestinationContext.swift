import DataModel

/// The store under construction, in which hooks and policies make rows, as far as they see it.
///
/// There is one for each run; it travels in the coder and in the migration manager, so that
/// conversions that run side by side do not mix. Not for use by several threads.
public protocol DestinationContext: AnyObject {
  /// Inserts a row.
  ///
  /// The first row that a hook, or a policy for an archived object, inserts is the one that
  /// references to the object lead to.
  ///
  /// - Parameter entityName: The name of an entity of the model that is not abstract.
  /// - Returns: The row, with the model's defaults for its attributes.
  /// - Throws: `ImportError` if there is no such entity, or if it is abstract.
  @discardableResult
  func insert(into entityName: String) throws -> DestinationInstance

  /// Finds the row whose attributes have some values, or inserts one.
  ///
  /// Values are compared after they were converted to the attributes' types. Nothing is not equal
  /// to nothing: without a value, a row is inserted. Of an import, rows are found that were made
  /// with the same attributes as identity, in this run or, when a run adds to a store, before it.
  /// Of a migration, all objects of the entity that are there so far are found.
  ///
  /// - Parameters:
  ///   - entityName: The name of an entity that is not abstract.
  ///   - identity: The values of the attributes that tell one row from another.
  /// - Returns: The row; `wasFound` tells whether it was there.
  /// - Throws: `ImportError` if there is no such entity or attribute, and what reading the store
  ///   throws.
  @discardableResult
  func findOrInsert(
    into entityName: String, identity: [String: ImportValue]
  ) throws -> DestinationInstance

  /// The rows of an entity whose attributes have some values, in the order of their ids.
  ///
  /// - Parameters:
  ///   - entityName: The name of an entity; rows of its subentities are found too.
  ///   - values: The values of attributes; none for all rows.
  /// - Returns: The rows that are in the store: not those of the hook that is running.
  /// - Throws: `ImportError` for unknown names, and what reading the store throws.
  /// - Complexity: Linear in the rows of the entity.
  func fetch(
    _ entityName: String, where values: [String: ImportValue]
  ) throws -> [DestinationInstance]

  /// The row that a reference stands for.
  ///
  /// - Parameter reference: A reference that a coder, an expression or a context gave.
  /// - Returns: The row. Its values are read from the store when they are asked for.
  func instance(for reference: RowReference) -> DestinationInstance

  /// Deletes a row.
  ///
  /// In an import that is at the end of the run, as the delete rules of its relationships have it.
  /// In a migration it is at once, with the links to it, and only for objects that policies made.
  ///
  /// - Parameter instance: The row.
  func delete(_ instance: DestinationInstance)
}

extension DestinationContext {
  /// All rows of an entity, in the order of their ids.
  ///
  /// - Parameter entityName: The name of an entity; rows of its subentities are found too.
  /// - Returns: The rows that are in the store: not those of the hook that is running.
  /// - Throws: `ImportError` for an unknown name, and what reading the store throws.
  public func fetch(_ entityName: String) throws -> [DestinationInstance] {
    try fetch(entityName, where: [:])
  }
}
