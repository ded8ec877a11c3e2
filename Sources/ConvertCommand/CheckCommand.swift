import ArchiveReader
import ArgumentParser
import Importer

/// `convert check`: whether a mapping can be used, or whether a Core Data store is sound.
struct CheckCommand: ParsableCommand, ExtensibleCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a mapping file, by itself or against archives, or a Core Data store.",
    discussion: """
      Of a mapping, every mistake is told with its line and column and, where a name is unknown, \
      with the nearest one that exists. Nothing is converted. Where archives are given, names that \
      match nothing in any of them are reported as well. Of a store, every fault is told with \
      its table, row and column. Which of the two a file is shows in its content.
      """)

  @Argument(help: "The mapping file, or the store.", completion: .file())
  var file: String

  @Argument(
    help: "Archives, and directories to search for archives, that the mapping is for.",
    completion: .file())
  var inputs: [String] = []

  @Option(
    help: ArgumentHelp(
      "The model, if it is another than the mapping names or the store carries.",
      valueName: "file"),
    completion: .file())
  var model: String?

  @Flag(help: "Accept a mapping that was made for another version of the model.")
  var acceptModelDrift = false

  @Option(
    help: ArgumentHelp(
      "Strip this prefix from class names, as the run will.", valueName: "prefix"))
  var stripPrefix: String?

  @OptionGroup var filterOptions: FilterOptions

  @OptionGroup var limitOptions: LimitOptions

  @Flag(name: [.short, .long], help: "Print nothing but mistakes and faults.")
  var quiet = false

  func validate() throws {
    guard inputs.isEmpty else { return }
    try limitOptions.check(LimitOptions.ofModels, command: "check")
  }

  func run() throws { try run(with: ImportExtensions()) }

  func run(with extensions: ImportExtensions) throws {
    if StoreCheck.isDatabase(file) {
      guard inputs.isEmpty else {
        throw ValidationError("\(file) is a store; archives are for the check of a mapping.")
      }
      try checkStore()
    } else if (try? KeyedArchive(contentsOf: file, limits: limitOptions.limits)) != nil {
      Console.complain("\(file): is a keyed archive: use 'convert inspect'")
      throw Outcome.impossible
    } else {
      try checkMapping(extensions)
    }
  }

  private func checkMapping(_ extensions: ImportExtensions) throws {
    var options = ConversionOptions()
    options.mappingPath = file
    options.modelPath = model
    options.acceptsModelDrift = acceptModelDrift
    options.extensions = extensions
    options.limits = limitOptions.limits
    options.stripPrefix = stripPrefix
    options.filter = filterOptions.filter
    let checked: MappingCheck
    do throws(ConversionError) {
      checked = try MappingCheck.run(options, against: inputs)
    } catch {
      for message in error.messages { Console.complain(message) }
      throw Outcome.impossible
    }
    for archive in checked.archives {
      if let error = archive.error { Console.complain("\(archive.path): \(error)") }
    }
    for name in checked.unusedNames { Console.complain(name.text) }
    guard checked.unusedNames.isEmpty, !checked.archives.contains(where: { $0.error != nil }) else {
      throw Outcome.incomplete
    }
    guard !quiet else { return }
    for note in checked.modelNotes { try Console.print("\(file): note: \(note)") }
    try Console.print("\(file): no mistakes found")
    if let digest = checked.modelDigest { try Console.print("modelDigest: \"\(digest)\"") }
  }

  private func checkStore() throws {
    let result: StoreCheck.Result
    do throws(ModelError) {
      result = try StoreCheck.run(file, model: model, limits: limitOptions.limits)
    } catch {
      Console.complain(
        error.code == .missingModel
          ? "\(file): the store carries no model: give it with --model" : "\(error)")
      throw Outcome.impossible
    }
    for finding in result.findings {
      if !finding.isNote {
        Console.complain("\(file): \(finding)")
      } else if !quiet {
        try Console.print("\(file): note: \(finding)")
      }
    }
    if result.leftOut > 0 {
      Console.complain("\(file): \(result.leftOut) more findings are not listed")
    }
    guard result.isSound else { throw Outcome.incomplete }
    guard !quiet else { return }
    let rows = ReportWords.count(result.rows, "row", plural: "rows")
    let tables = ReportWords.count(result.tables, "table", plural: "tables")
    try Console.print("\(file): no faults found in \(rows) of \(tables)")
  }
}
