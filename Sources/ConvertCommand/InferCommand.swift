import ArchiveReader
import ArgumentParser
import Converter
import Support

extension ConvertCommand {
  /// `convert infer`: a draft of a mapping, and of a Core Data model, from archives.
  struct Infer: PathListing {
    static let configuration = CommandConfiguration(
      commandName: "infer",
      abstract: "Draft a mapping from archives, to edit and pass to run.",
      discussion: """
        The draft spells out what run does by default: which class becomes which entity, which key \
        becomes which property, and why two relationships are considered inverses. Used unchanged, \
        it produces the same store.
        """)

    @Argument(help: "Archives, or directories to search for archives.", completion: .file())
    var inputs: [String] = []

    @OptionGroup var inputList: InputList

    @Option(
      help: ArgumentHelp(
        "Write the mapping of a preset, to edit it; no archive is read.", valueName: "messages"))
    var preset: Preset?

    @Option(
      name: [.customShort("o"), .long], help: "The mapping file to write.", completion: .file())
    var output: String

    @Option(
      help: ArgumentHelp(
        "The model of Core Data stores that do not carry it, or the folder of its versions. May be "
          + "repeated: models are merged.",
        valueName: "file"), completion: .file())
    var model: [String] = []

    @Option(
      help: ArgumentHelp(
        "Also write a Core Data model, to a folder that ends in .xcdatamodeld.",
        valueName: "folder"), completion: .file())
    var modelOutput: String?

    @Option(
      help: ArgumentHelp(
        "What to do with an archive that cannot be read: stop the run, or skip the archive. "
          + "(default: stop; skip if an input is a directory)", valueName: "stop|skip"))
    var onError: ConversionOptions.ErrorPolicy?

    @Flag(help: "Also read archives stored in data values, as run does.")
    var openNested = false

    @OptionGroup var entityOptions: EntityOptions

    @OptionGroup var filterOptions: FilterOptions

    @OptionGroup var limitOptions: LimitOptions

    @Flag(help: "Overwrite existing files.")
    var force = false

    func validate() throws {
      try StandardOutput.refuse(output, "-o")
      try inputList.check(inputs, needsSome: false)
      let hasNone = inputs.isEmpty && inputList.filesFrom == nil
      guard hasNone == (preset != nil) else {
        throw ValidationError(
          hasNone
            ? "Specify archives, or a preset with --preset."
            : "Archives and --preset cannot be used together.")
      }
      let hasOthers =
        modelOutput != nil || !model.isEmpty || onError != nil || openNested
        || entityOptions.stripPrefix != nil || entityOptions.plainNames
        || !entityOptions.seeThrough.isEmpty || entityOptions.dictionaries != nil
      guard preset == nil || !hasOthers else {
        throw ValidationError("--preset takes no other options than -o and --force.")
      }
      if let modelOutput, !modelOutput.hasSuffix(".xcdatamodeld") {
        throw ValidationError("The model '\(modelOutput)' must end in .xcdatamodeld.")
      }
    }

    func run() throws {
      try StandardInput.take(inputs)
      let inputs = try inputList.all(inputs)
      let interruption = Interruption()
      defer { interruption.end() }
      var options = ConversionOptions()
      options.errorPolicy = onError
      entityOptions.apply(to: &options)
      options.filter = filterOptions.filter
      options.limits = limitOptions.limits
      options.opensNested = openNested
      options.modelPaths = model
      let rejected: Int
      do throws(ConversionError) {
        if let preset { return try preset.write(to: output, replacing: force) }
        try InferredDraft.check(mapping: output, model: modelOutput, replacing: force)
        let draft = try InferredDraft(inputs: inputs, options: options)
        for (path, error) in draft.rejected { Console.complain("\(path): \(error)") }
        for name in draft.unusedNames { Console.complain(name.text) }
        try draft.write(mapping: output, model: modelOutput, replacing: force)
        rejected = draft.rejected.count
      } catch {
        Console.complain(of: error)
        throw Outcome.impossible
      }
      if rejected > 0 { throw Outcome.incomplete }
    }
  }
}
