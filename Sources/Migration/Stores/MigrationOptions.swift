/// What a migration may use besides the store and the version of the model that it leads to.
public struct MigrationOptions: Sendable, Hashable {
  /// Paths of mapping models, and of folders to search for them.
  ///
  /// A step between two versions that none of them leads between is inferred, as Core Data does.
  public var mappingModelPaths: [String]
  /// Paths of further versions of the model: files, or folders of versions.
  ///
  /// The versions that stand next to the target in its folder are known without being named.
  public var versionPaths: [String]
  /// What an earlier migration used of these files, if it is repeated; nil to use all of them.
  package var recorded: RecordedMigration?

  /// Creates options.
  public init(mappingModelPaths: [String] = [], versionPaths: [String] = []) {
    self.mappingModelPaths = mappingModelPaths
    self.versionPaths = versionPaths
  }

  /// The same options with others in their place, as far as those name anything.
  package func replaced(by other: MigrationOptions) -> MigrationOptions {
    MigrationOptions(
      mappingModelPaths: other.mappingModelPaths.isEmpty
        ? mappingModelPaths : other.mappingModelPaths,
      versionPaths: other.versionPaths.isEmpty ? versionPaths : other.versionPaths)
  }
}
