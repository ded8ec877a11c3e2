import Importer

/// A store of archives, as the source of a migrator.
package struct MigratorSource {
  /// The plan of the run that made the store: one of plain rows.
  package var plan: ImportPlan
  /// The statements that make the tables of rows, with their indexes and views.
  package var statements: [String] = []
  /// The numbers of rows by table.
  package var rowCounts: [(table: String, rows: Int64)] = []
  /// The classes as whose objects dictionaries are read, by their paths.
  package var recordClasses: [String: String] = [:]
  /// The names of the copies of the archives, in the order of the store.
  package var archives: [String] = []
  /// This project, for the package to depend on.
  package var project: ProjectDependency
  /// The name of the package.
  package var name: String

  package init(_ plan: ImportPlan, project: ProjectDependency, name: String) {
    (self.plan, self.project, self.name) = (plan, project, name)
  }
}
