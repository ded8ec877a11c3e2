import Stores
import Support

/// The views that a mapping defines.
extension PlanCompiler {
  /// The views of a store, tried on its empty tables; those that cannot be made are problems.
  ///
  /// An optional view is left out if the tables lack something that it names.
  mutating func queries(_ layout: RelationalLayout, _ options: Options) -> [NamedQuery] {
    guard !mapping.views.isEmpty else { return [] }
    let tables = layout.tables + layout.elementTables.map(\.table)
    let names = tables.map(\.name) + layout.views.map(\.name) + RelationalLayout.reservedTableNames
    let taken = Set(names.flatMap { NameAllocator.forms($0) })
    var views: [(mapping: ViewMapping, query: NamedQuery)] = []
    for view in mapping.views {
      if taken.isDisjoint(with: NameAllocator.forms(view.name.value)) {
        views.append(
          (view, NamedQuery(name: view.name.value, query: view.query.value, report: view.report)))
      } else {
        note(view, view.name.mark, "the store has a table of this name")
      }
    }
    do throws(StoreError) {
      let database = try Database(path: ":memory:")
      try database.trustViews()
      let own = RelationalLayout.bookkeepingTables(
        withProvenance: options.recordsProvenance, withNesting: false,
        withMetadata: options.keepsMetadata, withOriginals: false)
      for table in own + tables { try database.execute(table.creation) }
      for view in layout.views { try database.execute(view.creation) }
      views.removeAll { !make($0.query, of: $0.mapping, in: database) }
      // Another view may show one that is left out.
      var count = 0
      while count != views.count {
        count = views.count
        try removeUnfit(&views, in: database)
      }
      for (view, query) in views {
        if let reason = Self.reason(against: query, in: database) {
          note(view, view.query.mark, reason)
        }
      }
    } catch {
      if let view = mapping.views.first { note(view, nil, error.reason) }
    }
    return views.map(\.query)
  }

  private mutating func note(_ view: ViewMapping, _ mark: SourceMark?, _ reason: String) {
    note(.badView, mark, view.name.value, expected: reason)
  }

  /// Makes a view; false if that cannot be done, which is noted.
  private mutating func make(
    _ query: NamedQuery, of view: ViewMapping, in database: Database
  ) -> Bool {
    do throws(StoreError) {
      _ = try database.rows(query.keptCreation)
      // A statement behind the query is not run, and not kept.
      let kept = try database.rows(
        "SELECT 1 FROM sqlite_schema WHERE name = ? AND sql = ?",
        [.text(query.name), .text(query.keptCreation)])
      if !kept.isEmpty { return true }
      note(view, view.query.mark, "more than a SELECT")
    } catch {
      note(view, view.query.mark, error.reason)
    }
    return false
  }

  /// Removes optional views that name what the tables lack.
  private func removeUnfit(
    _ views: inout [(mapping: ViewMapping, query: NamedQuery)], in database: Database
  ) throws(StoreError) {
    let unfit = views.filter {
      $0.mapping.isOptional && Self.reason(against: $0.query, in: database) != nil
    }
    for (_, query) in unfit { try database.execute("DROP VIEW \(SQL.quoted(query.name));") }
    views.removeAll { view in unfit.contains { $0.query.name == view.query.name } }
  }

  /// The reason why a view gives no rows; nil if it does.
  private static func reason(against query: NamedQuery, in database: Database) -> String? {
    do throws(StoreError) {
      _ = try database.rows("SELECT * FROM \(SQL.quoted(query.name)) LIMIT 0")
      return nil
    } catch {
      return error.reason
    }
  }
}
