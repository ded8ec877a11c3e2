import ArchiveReader
import ArgumentParser
import Converter
import Migration
import Support

extension ConvertCommand {
  /// `convert check`: whether a mapping or a mapping model can be used, or whether a Core Data
  /// store is sound.
  struct Check: PathListing, Extensible {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Check a mapping file, a Core Data mapping model, or a Core Data store.",
      discussion: """
        For a mapping, reports every mistake with its line and column and, if a name is unknown, the \
        closest one that exists. Nothing is converted. If archives are given, names that match \
        nothing in any of them are reported as well. For a mapping model (.xcmappingmodel or .cdm), \
        shows what it does, and reports its mistakes and the policies that it needs. For a store, \
        reports every fault with its table, row and column. The kind of file is detected from its \
        content.
        """)

    @Argument(help: "The mapping file, mapping model or store.", completion: .file())
    var file: String

    @Argument(
      help: "Archives to check the mapping against, or directories to search for archives.",
      completion: .file())
    var inputs: [String] = []

    @Option(
      help: ArgumentHelp(
        "The model, or the folder of its versions, if it is not the one that the mapping names or the "
          + "file contains. May be repeated: models are merged.",
        valueName: "file"),
      completion: .file())
    var model: [String] = []

    @Flag(help: "Accept a mapping that was made for another version of the model.")
    var acceptModelDrift = false

    @OptionGroup var entityOptions: EntityOptions

    @OptionGroup var filterOptions: FilterOptions

    @OptionGroup var limitOptions: LimitOptions

    @Flag(name: [.short, .long], help: "Print only mistakes and faults.")
    var quiet = false

    func validate() throws {
      try StandardInput.check(inputs)
      guard inputs.isEmpty else { return }
      try limitOptions.check(LimitOptions.ofModels, command: "check")
    }

    func run() throws { try run(with: ImportExtensions()) }

    func run(with extensions: ImportExtensions) throws {
      try StandardInput.take(inputs)
      let interruption = Interruption()
      defer { interruption.end() }
      if StoreCheck.isStore(file) {
        guard inputs.isEmpty else {
          throw ValidationError("\(file) is a store; archives can only be given with a mapping.")
        }
        try checkStore()
      } else if MappingModelFile.isMappingModel(file, limits: limitOptions.limits) {
        guard inputs.isEmpty else {
          throw ValidationError(
            "\(file) is a mapping model; archives can only be given with a mapping.")
        }
        try checkMappingModel()
      } else if let kind = GivenFile(file), kind == .archive || kind == .model {
        Console.complain("\(file): \(kind.words)")
        throw Outcome.impossible
      } else {
        try checkMapping(extensions)
      }
    }

    private func checkMapping(_ extensions: ImportExtensions) throws {
      var options = ConversionOptions()
      options.mappingPath = file
      options.modelPaths = model
      options.acceptsModelDrift = acceptModelDrift
      options.extensions = extensions
      options.limits = limitOptions.limits
      entityOptions.apply(to: &options)
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
      guard checked.unusedNames.isEmpty, !checked.archives.contains(where: { $0.error != nil })
      else {
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
        result = try StoreCheck.run(file, models: model, limits: limitOptions.limits)
      } catch {
        let isUnmodelled = error.code == .missingModel && model.isEmpty
        let error = isUnmodelled ? ModelError(.missingCache, path: file) : error
        Console.refuse(file, expected: [], ["\(error)"])
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
      let rows = Words.count(result.rows, "row", plural: "rows")
      let place =
        result.tables > 0
        ? "\(rows) of \(Words.count(result.tables, "table", plural: "tables"))"
        : Words.count(result.rows, "object", plural: "objects")
      try Console.print("\(file): no faults found in \(place)")
    }
  }
}
