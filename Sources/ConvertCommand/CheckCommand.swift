import ArchiveReader
import ArgumentParser
import Converter
import Mappings
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

// Core Data's mapping models: mistakes, and the whole in a readable form.
extension ConvertCommand.Check {
  /// Checks a mapping model between the two models that it leads between.
  func checkMappingModel() throws {
    let checked: CheckedMappingModel
    do {
      let mapping = try AvailableMappingModel(contentsOf: file, limits: limitOptions.limits)
      let versions =
        model.isEmpty ? nil : try ModelVersions(contentsOf: model, limits: limitOptions.limits)
      guard
        let found = try CheckedMappingModel(
          mapping, versions, acceptsDrift: acceptModelDrift, limitOptions.limits)
      else {
        Console.complain(missingModels(of: mapping))
        throw Outcome.impossible
      }
      checked = found
    } catch let error as ModelError {
      Console.complain("\(error.placed(in: file))")
      throw Outcome.impossible
    }
    if !quiet {
      try Console.print(text: checked.listing + "\n")
      for policy in checked.check.policies {
        let mappings = policy.uses.map(\.entityMapping).joined(separator: ", ")
        try Console.print("\(file): note: needs the policy \(policy.className) for \(mappings)")
      }
    }
    for finding in checked.check.findings {
      if finding.severity == .error {
        Console.complain("\(file): \(finding)")
      } else if !quiet {
        try Console.print("\(file): \(finding.severity.rawValue): \(finding)")
      }
    }
    for error in checked.refusals { Console.complain("\(file): \(error)") }
    let drifts = acceptModelDrift ? [] : checked.drifts
    for drift in drifts { Console.complain("\(file): \(drift.sentence)") }
    guard drifts.isEmpty, checked.check.isUsable, checked.refusals.isEmpty else {
      throw Outcome.incomplete
    }
    if !quiet { try Console.print("\(file): no mistakes found") }
  }

  /// The message where there are no models to check a mapping model against.
  private func missingModels(of mapping: AvailableMappingModel) -> String {
    guard !model.isEmpty else {
      return "\(file): the mapping model contains no models; specify their versions with --model"
    }
    let message =
      "\(model.joined(separator: ", ")): does not contain the versions that the mapping model leads between"
    let names = [mapping.source.name, mapping.destination.name].compactMap(\.self)
    guard names.count == 2 else { return message }
    return "\(message): '\(names[0])' and '\(names[1])'"
  }
}

/// A mapping model that has been checked between two models.
private struct CheckedMappingModel {
  /// The findings of the check.
  let check: MappingModelCheck
  /// Why a migration would refuse it, besides the mistakes that were found.
  let refusals: [MigrationError]
  /// The differences of the given versions from those that the mapping model was made for.
  let drifts: [MappingModelDrift]
  /// The whole mapping model as text.
  let listing: String

  /// Checks a mapping model between two of the given versions, else between the models that it
  /// embeds.
  ///
  /// - Returns: Nil if there are no such models.
  init?(
    _ mapping: AvailableMappingModel, _ versions: ModelVersions?, acceptsDrift: Bool,
    _ limits: ReadingLimits
  ) throws(ModelError) {
    let source: Model
    let destination: Model
    if let versions {
      guard let placement = mapping.placement(among: versions.versions) else { return nil }
      source = placement.source.source.model
      destination = placement.destination.source.model
      drifts = placement.drifts
    } else {
      guard let old = mapping.source.model, let new = mapping.destination.model else { return nil }
      (source, destination, drifts) = (old, new, [])
    }
    let compiled: MappingModel
    switch mapping.file {
    case .compiled(let model):
      compiled = model
      check = MappingModelCheck(model, from: source, to: destination)
      listing = MappingModelListing.text(of: model)
    case .document(let document):
      check = try MappingModelCheck(document, from: source, to: destination, limits: limits)
      compiled = document.compiled(from: source, to: destination)
      listing = MappingModelListing.text(of: document, compiled: compiled)
    }
    let known = check.findings.filter { $0.severity == .error }
    refusals = MigrationProgram.problems(
      of: compiled, from: source, to: destination, acceptsDrift: acceptsDrift && !drifts.isEmpty
    ).filter { error in
      !known.contains { $0.entity == error.entityMapping && $0.property == error.property }
    }
  }
}
