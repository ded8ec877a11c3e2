import ArchiveReader
import CoreDataStores
import GraphCore
import Support

/// Core Data stores of all kinds, opened as stores of another version of their model.
package struct MigratedStoreKind: SourceKind {
  private let migration: StoreMigrator

  package init(_ migration: StoreMigrator) { self.migration = migration }

  package func recognizes(_ head: FileHead) -> Bool {
    CoreDataFileKind(head) != nil
  }

  package func companions(of head: FileHead, at path: String) -> [String] {
    CoreDataFileKind(head)?.companions(at: path) ?? []
  }

  package func open(
    _ file: ByteStorage, at path: String?, limits: ReadingLimits, salvages: Bool
  ) throws(ArchiveError) -> any GraphSource {
    guard let path else {
      throw ArchiveError(.failedMigration, name: "it is no file of its own")
    }
    return try migration.open(file, at: path, limits: limits, salvages: salvages)
  }
}
