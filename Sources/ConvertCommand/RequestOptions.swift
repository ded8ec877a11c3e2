import ArgumentParser
import Converter
import Foundation

/// The options that say what becomes of archives, on one machine or many.
struct RequestOptions: ParsableArguments {
  @Flag(help: "Convert the readable parts of damaged archives, and list the rest.")
  var salvage = false

  @Flag(
    help: """
      Also convert archives and other property lists stored in data values, each as a separate \
      archive.
      """)
  var openNested = false

  @Option(
    help: ArgumentHelp(
      "Create rows for the entities of a Core Data model: .xcdatamodeld, .xcdatamodel, .momd, "
        + ".mom, or a store that contains it. Core Data stores are read by it, or by the version in "
        + "a folder that they are of. May be repeated: models are merged.",
      valueName: "file"), completion: .file())
  var model: [String] = []

  @Option(
    help: ArgumentHelp(
      "Use a mapping file: which classes and keys become which entities and properties, and how "
        + "values are converted.", valueName: "file"), completion: .file())
  var mapping: String?

  @Flag(help: "Use a mapping even if it was made for another version of the model.")
  var acceptModelDrift = false

  @Flag(help: "Record in the table _objects which archived object each row came from.")
  var provenance = false

  @Flag(
    help: """
      Keep the archives themselves in the store, so that export can make archives of its rows \
      again.
      """)
  var reversible = false

  @Flag(help: "Add a table for full-text search in all texts (FTS5).")
  var fts = false

  @OptionGroup var entityOptions: EntityOptions

  @OptionGroup var limitOptions: LimitOptions

  /// True if nothing is asked for.
  var isEmpty: Bool {
    let flags = [salvage, openNested, acceptModelDrift, provenance, reversible, fts]
    return !flags.contains(true) && model.isEmpty && mapping == nil && entityOptions.isEmpty
      && limitOptions.settings.isEmpty
  }

  /// Refuses what an export could not undo.
  func validate() throws {
    guard reversible else { return }
    let refused = [
      ("--mapping", mapping != nil), ("--model", !model.isEmpty), ("--salvage", salvage),
      ("--open-nested", openNested), ("--column", !entityOptions.column.isEmpty),
      ("--carry", !entityOptions.carry.isEmpty),
    ]
    if let (option, _) = refused.first(where: \.1) {
      throw ValidationError("--reversible cannot be used with \(option).")
    }
  }

  func apply(to options: inout ConversionOptions) {
    options.modelPaths = model
    options.mappingPath = mapping
    options.acceptsModelDrift = acceptModelDrift
    options.salvages = salvage
    options.opensNested = openNested
    options.recordsProvenance = provenance
    options.isReversible = reversible
    options.isSearchable = fts
    entityOptions.apply(to: &options)
    options.limits = limitOptions.limits
  }
}

/// The way a process works: its threads, and its end.
struct ProcessOptions: ParsableArguments {
  private static let maximum = 64

  @Option(
    help: ArgumentHelp(
      "How many archives to read in parallel, from 1 to \(Self.maximum). The output does not "
        + "depend on it. (default: the number of processors)", valueName: "number"))
  var jobs: Int?

  @Flag(
    help: "End when the process ends that started this one, as a machine among many has to.")
  var endWithParent = false

  func validate() throws {
    guard jobs.map((1...Self.maximum).contains) ?? true else {
      throw ValidationError("--jobs must be a whole number from 1 to \(Self.maximum).")
    }
  }

  /// Begins to watch the parent, if that is asked for.
  func apply(to options: inout ConversionOptions) {
    if let jobs { options.jobs = jobs }
    if endWithParent { Interruption.followParent() }
  }
}

/// The time that archives are said to be converted at.
enum SourceDate {
  /// That of the environment, which reproducible builds set; nil for the clock's.
  static var fixed: Date? {
    ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(UInt32.init)
      .map { Date(timeIntervalSince1970: Double($0)) }
  }
}
