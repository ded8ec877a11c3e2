import Foundation
import Support

/// The forms of a store.
public enum StoreLayout: String, Sendable, CaseIterable {
  /// Tables for people who open the store with `sqlite3`, Datasette, a GUI or an ORM.
  case relational
  /// The tables of Core Data, which it opens as its own.
  case coreData = "coredata"
}

/// A store with the tables of a model and no rows.
public struct EmptyStore: Sendable {
  /// Remarks on a store that was made.
  public struct Notes: Sendable, Equatable {
    /// The entities whose version hash is not known for sure: Core Data may refuse the store.
    public var uncertainHashes: [String] = []
    /// The indexes that were left out since their form is not known, as `Entity.index`.
    ///
    /// Core Data does without them.
    public var omittedIndexes: [String] = []
    /// True if the store carries its model, as those that Core Data makes do.
    public var hasModel = true
  }

  private let source: ModelSource
  private let layout: StoreLayout
  private let limits: ReadingLimits

  /// Prepares to make a store.
  ///
  /// - Parameters:
  ///   - source: The model, with its hashes and its compiled form where they are known.
  ///   - layout: The form of the store.
  ///   - limits: The limits, of which that on tables applies, in both layouts.
  public init(_ source: ModelSource, layout: StoreLayout, limits: ReadingLimits = .standard) {
    self.source = source
    self.layout = layout
    self.limits = limits
  }

  /// Makes the store: next to its destination, so that there is all of it or nothing.
  ///
  /// - Parameters:
  ///   - path: The destination.
  ///   - isReplacing: True if a file at the destination gives way.
  /// - Returns: Remarks on the store.
  /// - Throws: `StoreError`, `ModelError` if the model has no place in a Core Data store, or
  ///   `ConversionError` if there would be too many tables.
  @discardableResult
  public func write(to path: String, isReplacing: Bool = false) throws -> Notes {
    if !isReplacing, FileIdentity(path: path) != nil { throw StoreError(.exists, path: path) }
    var notes = Notes()
    let tables = RelationalLayout(source.model.withoutDraftedParts)
    guard EarlierTables().count(with: tables) <= limits.tables else {
      throw ConversionError.rejected(path: path, limits.exceeded(.tables))
    }
    switch layout {
    case .relational:
      let file = try StoreFile(destination: path)
      let store = try StoreWriter(
        path: file.path, layout: tables, withProvenance: false, withNesting: false)
      try store.finish()
      _ = try file.publish(replacing: isReplacing)
    case .coreData:
      let layout = CoreDataLayout(source.model)
      if let gap = layout.gaps.first { throw gap }
      notes.omittedIndexes = layout.omittedIndexes
      notes.hasModel = source.storedModel() != nil
      notes.uncertainHashes = source.uncertainHashes
      let file = try StoreFile(destination: path)
      try CoreDataStoreCreator(layout: layout, source: source).create(at: file.path)
      _ = try file.publish(replacing: isReplacing)
    }
    return notes
  }
}
