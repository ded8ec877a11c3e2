import ArchiveReader
import CoreDataStores
import DataModel
import Foundation
import Importer
import Mappings
import Migration
import Stores
import Support

/// The run of a step of a migration into a temporary store.
struct StepRun {
  /// The path of the store.
  let path: String
  /// The model that it is read by.
  let model: ModelSource
  /// The fate of the source objects.
  let outcome: MigrationOutcome

  /// Runs a step.
  ///
  /// - Parameters:
  ///   - source: The store that is migrated.
  ///   - step: The step.
  ///   - destination: The model of the new store.
  ///   - folder: Where it is written.
  ///   - setting: What else the step is run with.
  ///   - check: Refuses numbers of objects, by entity.
  /// - Throws: What keeps it from being written.
  init(
    _ source: any CoreDataSource, _ step: MappedStep, to destination: ModelSource,
    in folder: PrivateFolder, _ setting: MigratedSource.Setting,
    _ check: ([String: Int]) throws -> Void
  ) throws {
    let profile: SchemaProfile
    do throws(ArchiveError) {
      profile = try SchemaProfiler.take(
        of: source, classesReadAsObjects: [], limits: setting.limits)
    } catch {
      throw source.explained(error)
    }
    try check(
      Dictionary(
        profile.classes.map { ($0.name, $0.count) }, uniquingKeysWith: { first, _ in first }))
    var extensions = ImportExtensions()
    extensions.migration = step.traits
    var options = PlanCompiler.Options()
    options.limits = setting.limits
    options.archivesTransformables = true
    var plan = try PlanCompiler.plan(
      profile: profile, model: step.model, mapping: step.mapping, mappingPath: nil,
      extensions: extensions, options: options)
    model = step.source(of: destination)
    plan.source = model
    let relational = try StoreFile(destination: "\(folder.path)/store", isAlone: true)
    let output = try CoreDataOutput(model, plan, nextTo: relational, isExact: true)
    plan = output.plan
    let store = try StoreWriter(
      path: relational.path, layout: plan.layout, withProvenance: false, withNesting: false,
      countsValues: true, archiveBytes: source.byteCount, attached: output.file.path)
    defer { store.wait() }
    var run = ImportRun(
      plan, extensions, store, StoreContent(plan.layout), isAppending: false,
      library: GraphLibrary())
    run.context.now = setting.now
    if let onProgress = setting.onPolicyProgress { run.onProgress(onProgress) }
    run.begin(pass: 0, of: 1)
    do {
      _ = try run.importArchive(source, id: 1, path: setting.path)
      try run.endPass()
      try run.finish()
    } catch let error as ArchiveError {
      throw source.explained(error)
    } catch let error as PolicyFailure {
      throw MigrationError(
        .failedPolicy, entityMapping: error.mapping, name: error.description)
    }
    var findings = run.context.report
    if let error = findings.errors.first { throw ArchiveError(error) }
    guard let outcome = try run.migrationOutcome() else {
      throw ArchiveError(.failedMigration, name: "it has no objects")
    }
    self.outcome = outcome
    try store.beginFinishing()
    try store.endFinishing()
    try output.complete(store, run.context, CoreDataMetadata(of: model), &findings)
    // It is never published: what is lost with the program is made again.
    path = "\(folder.path)/migrated.sqlite"
    try FileManager.default.moveItem(atPath: output.file.path, toPath: path)
  }
}

extension ArchiveError {
  /// The error of an object that breaks a rule, at the object.
  fileprivate init(_ error: ValidationError) {
    switch error.code {
    case .missingValue:
      self.init(
        .failedMigration, name: "missing attribute values on mandatory destination attribute")
    case .wrongKind:
      let type = error.detail.map { $0.replacing("its type is ", with: "") } ?? "?"
      self.init(
        .wrongKind, name: "one that the type \(type) can hold: \(error.kind ?? "?")")
    default: self.init(.failedMigration, name: "\(error)")
    }
    if let className = error.className, let uid = error.uid {
      position = .record("\(className) \(uid)", property: error.property)
    }
  }
}

extension MigrationProgram {
  /// Refuses objects of which an inferred mapping model cannot make any.
  ///
  /// - Parameter counts: The numbers of objects, by entity.
  /// - Throws: `MigrationError`.
  func checkConditions(_ counts: [String: Int]) throws(MigrationError) {
    let errors = forbiddenEntities.sorted { $0.key < $1.key }.compactMap {
      entity, finding -> MigrationError? in
      let name = source.entities[entity].name
      guard let count = counts[name], count > 0 else { return nil }
      return MigrationError(.forbiddenObjects, name: "\(count) of \(name); \(finding)")
    }
    if let error = MigrationError(joining: errors) { throw error }
  }
}
