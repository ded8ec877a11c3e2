import ArchiveReader
import Foundation
import Importer
import Reporting
import Stores
import Support

/// A Swift package that brings the data of old archives into an app's database, drafted from a store.
///
/// Its test has copies of the store and of the archives that this was made of.
public struct MigratorPackage {
  private let code: StoreCode
  private let fixtures: String
  private let copies: [(from: String, name: String)]

  /// Compares a store with its archives, and drafts the package.
  ///
  /// - Parameters:
  ///   - store: The path of the store.
  ///   - archives: The paths of the archives; none if they are where they were.
  ///   - project: This project, for the package to depend on.
  ///   - limits: The limits for hostile files.
  /// - Throws: `ConversionError` if the store has something that no migrator would make, or is not
  ///   what its archives say; `StoreError` if it cannot be read.
  public init(
    ofStoreAt store: String, archives: [String], project: ProjectDependency, limits: ReadingLimits
  ) throws {
    func refuse(_ reason: String) -> ConversionError {
      .unexportable(path: store, ["no migrator can be made: \(reason)"])
    }
    let subject = try MigratedStore(path: store)
    if let obstacle = subject.obstacle { throw refuse(obstacle) }
    let paths = archives.isEmpty ? subject.archives : archives
    if archives.isEmpty, let missing = paths.first(where: { FileIdentity(path: $0) == nil }) {
      throw refuse("its archive \(missing) is not there (name it with --archive)")
    }
    var options = ConversionOptions()
    options.limits = limits
    var verifier = StoreVerifier(store: store, inputs: paths, options: options)
    let result = try verifier.run().verification
    guard let result, result.isPassed, let run = verifier.runs.first, verifier.runs.count == 1
    else {
      throw refuse(result?.differences.first.map(Self.words) ?? "it cannot be compared")
    }
    if let obstacle = try run.plan.obstacleToMigrator ?? subject.obstacle(to: run.plan) {
      throw refuse(obstacle)
    }
    let name = Self.name(ofStoreAt: store)
    var source = MigratorSource(run.plan, project: project, name: name)
    source.statements = try subject.statements()
    source.rowCounts = try subject.rowCounts(run.plan)
    source.recordClasses = subject.recordClasses(run.plan)
    copies =
      run.archives.enumerated().map { ($1.path, Self.copyName($1.path, $0 + 1)) }
      + [(store, "store.sqlite")]
    source.archives = copies.dropLast().map(\.name)
    code = try StoreCode(migratorOf: store, source)
    fixtures = "Tests/\(name)Tests/Fixtures"
  }

  private static func words(_ difference: VerificationResult.Difference) -> String {
    guard difference.entity != RelationalLayout.archiveTable else {
      return "\(difference.archive ?? difference.entity) \(difference.found)"
    }
    let place = [difference.entity, difference.row.map(String.init), difference.property]
    return place.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ".")
      + " is not what the archives say"
  }

  /// The name of the package: that of the store, in an identifier.
  private static func name(ofStoreAt path: String) -> String {
    let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    let name = stem.split { !($0.isLetter || $0.isNumber) }
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return SwiftSource.identifier(name) + "Migrator"
  }

  /// The name of the copy of an archive.
  private static func copyName(_ path: String, _ number: Int) -> String {
    let name = (path as NSString).lastPathComponent
    return "\(number)-\(name.utf8.count <= 100 ? FileName.printable(name) : "archive")"
  }

  /// Writes the package: files for the user's own code only where there are none.
  ///
  /// - Parameter folder: The path of the folder.
  /// - Returns: The numbers of files that were written, that were kept, and that were removed.
  /// - Throws: `StoreError` if one cannot be written, or would take the place of another's file.
  public func write(
    to folder: String
  ) throws(StoreError) -> (written: Int, kept: Int, removed: Int) {
    let path = "\(folder)/\(fixtures)"
    let test = "\((path as NSString).deletingLastPathComponent)/_MigratorTests.swift"
    guard FileIdentity(path: path) == nil || OwnOutput.isCode(at: test) else {
      throw StoreError(.file, path: path, reason: OwnOutput.refusal)
    }
    let outcome = try code.write(to: folder)
    let files = FileManager.default
    do {
      if FileIdentity(path: path) != nil { try files.removeItem(atPath: path) }
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      for copy in copies {
        try files.copyItem(
          at: URL(fileURLWithPath: copy.from).resolvingSymlinksInPath(),
          to: URL(fileURLWithPath: "\(path)/\(copy.name)"))
      }
    } catch {
      throw StoreError(.file, path: path, reason: "the archives and the store cannot be copied")
    }
    return outcome
  }
}
