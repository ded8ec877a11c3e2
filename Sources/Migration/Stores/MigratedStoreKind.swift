import ArchiveReader
import CoreDataStores
import GraphCore

/// Core Data stores of all kinds, opened as stores of another version of their model.
package struct MigratedStoreKind: SourceKind {
  private let migration: StoreMigrator

  package init(_ migration: StoreMigrator) { self.migration = migration }

  package func recognizes(_ head: UnsafeRawBufferPointer) -> Bool {
    unsafe CoreDataFileKind(head) != nil
  }

  package func companions(of head: UnsafeRawBufferPointer, at path: String) -> [String] {
    unsafe CoreDataFileKind(head)?.companions(at: path) ?? []
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
