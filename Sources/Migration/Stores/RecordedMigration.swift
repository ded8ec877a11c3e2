/// What a migration had at hand, by which it can be repeated when more has been put beside it: an
/// app gets versions of its model, and mapping models, later.
package struct RecordedMigration: Sendable, Hashable {
  /// The digest of the version that stores were migrated to; nil if it is not known.
  package var target: String?
  /// The digests of the versions and of the mapping models.
  package var files: Set<String>

  package init(target: String?, files: [String]) {
    (self.target, self.files) = (target, Set(files))
  }
}

extension MigrationPlanner {
  /// The digests of the versions and of the mapping models.
  package var fileDigests: [String] {
    versions.map { $0.source.model.digest() } + mappingModels.map(\.digest.hexadecimal)
  }

  /// The same with what an earlier migration had at hand, and no more.
  package func restricted(to recorded: RecordedMigration) -> MigrationPlanner {
    let known = versions.filter { recorded.files.contains($0.source.model.digest()) }
    return MigrationPlanner(
      target: known.first { $0.source.model.digest() == recorded.target } ?? target,
      versions: known,
      mappingModels: mappingModels.filter { recorded.files.contains($0.digest.hexadecimal) },
      errors: errors, label: label)
  }
}
