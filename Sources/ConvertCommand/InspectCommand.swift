import ArchiveReader
import ArgumentParser
import Converter
import Foundation
import Support

extension ConvertCommand {
  /// `convert inspect`: what is in an archive.
  struct Inspect: PathListing {
    static let configuration = CommandConfiguration(
      commandName: "inspect",
      abstract: "Show what is in an archive: its classes, keys, values and references.",
      discussion: """
        Prints a tree on a terminal and JSON to a pipe, unless an option says otherwise. Of several \
        files, or a directory, shows what is there, by kind and by class. If references lead to \
        objects that do not exist, or the model of a Core Data store is missing, the rest is shown, and the exit code is 1.
        """)

    @Argument(
      help: "The archive; several of them, or directories, for what is in all of them.",
      completion: .file())
    var files: [String]

    @Flag var form: Form?

    @Option(help: "How many levels of objects the tree shows, up to 512.")
    var depth = 6

    @Option(help: "How many elements of a collection the tree shows.")
    var elements = 10

    @Option(
      help: ArgumentHelp(
        "Show the tree of this object only, whose number errors, reports and trees give.",
        valueName: "uid"))
    var object: Int?

    @Option(
      help: ArgumentHelp(
        "The model of a Core Data store that does not carry it, or the folder of its versions. May be "
          + "repeated: models are merged.",
        valueName: "file"), completion: .file())
    var model: [String] = []

    @OptionGroup var unwrapOptions: UnwrapOptions

    @OptionGroup var filterOptions: FilterOptions

    @OptionGroup var limitOptions: LimitOptions

    /// Each level takes stack.
    private static let maxLevels = 512
    /// The limits that apply to reading an archive.
    private static let limits: Set<ReadingLimits.Name> = [
      .depth, .chain, .expansion, .parts, .values, .xmlBytes,
    ]

    enum Form: EnumerableFlag {
      case tree
      case json

      static func help(for form: Form) -> ArgumentHelp? {
        switch form {
        case .tree: "Print a tree: the default on a terminal."
        case .json: "Print JSON: the default in a pipe."
        }
      }
    }

    var inputs: [String] {
      get { files }
      set { files = newValue }
    }

    func validate() throws {
      guard (1...Self.maxLevels).contains(depth) else {
        throw ValidationError("--depth must be a number from 1 to \(Self.maxLevels).")
      }
      guard elements > 0 else { throw ValidationError("--elements must be at least 1.") }
      guard object == nil || form != .json else {
        throw ValidationError("--object and --json cannot be used together.")
      }
      try limitOptions.check(Self.limits, command: "inspect")
      try StandardInput.check(files)
    }

    func run() throws {
      try StandardInput.take(files)
      let interruption = Interruption()
      defer { interruption.end() }
      // A model is a folder, too.
      if files.count == 1, !isDirectory(files[0]) || GivenFile(files[0]) != nil {
        try show(files[0])
      } else {
        try showAll()
      }
    }

    /// Shows what is in a file.
    private func show(_ file: String) throws {
      let limits = limitOptions.limits
      let source: any GraphSource
      let inspection: ArchiveInspection
      var bytes: ByteStorage?
      do throws(ArchiveError) {
        var options = ConversionOptions()
        (options.modelPaths, options.limits) = (model, limits)
        // All that run would open is shown.
        options.opensNested = true
        options.unwrapSteps = unwrapOptions.unwrap
        let opened = try ByteStorage(contentsOf: file)
        bytes = opened
        source = try options.sourceOpener.open(opened, at: file)
        inspection = try source.inspect(limits: limits)
      } catch {
        Console.refuse(file, expected: [.archive], ["\(file): \(error)"])
        guard let bytes,
          let store = try? StoreInspection(withoutModel: bytes, at: file, limits: limits)
        else { throw Outcome.impossible }
        try show(store, file)
        throw Outcome.incomplete
      }

      switch shownForm {
      case .json:
        try Console.print(text: JSON(file, source, inspection).text())
      case .tree:
        if let object {
          try show(object, of: source, file)
          break
        }
        if let store = source as? any CoreDataSource {
          let text = StoreText(file, StoreInspection(store), inspection).text()
          try Console.print(text: text)
          break
        }
        try Console.print(text: Tree.heading(file, source, inspection) + "\n")
        if let database = source as? DatabaseSource {
          try Console.print(text: Tree.table(of: database.contents))
          break
        }
        var tree = Tree(source, limits: limits, depth: depth, elements: elements)
        try Console.print(text: tree.text())
      }
      for error in inspection.danglingReferences { Console.complain("\(file): \(error)") }
      if !inspection.danglingReferences.isEmpty { throw Outcome.incomplete }
    }

    var shownForm: Form { form ?? (Console.isTerminal || object != nil ? .tree : .json) }

    /// Shows an object with what it refers to.
    private func show(_ object: Int, of source: any GraphSource, _ file: String) throws {
      guard !(source is any StoreSource) else {
        let kind = source is DatabaseSource ? "an SQLite database" : "a Core Data store"
        Console.complain("\(file): --object is for archives; this is \(kind)")
        throw Outcome.impossible
      }
      var tree = Tree(
        source, limits: limitOptions.limits, depth: depth, elements: elements)
      let text: String
      do throws(ArchiveError) {
        text = try tree.text(ofObject: object)
      } catch {
        let isAbsent = error.code == .danglingReference
        Console.complain("\(file): \(isAbsent ? "there is no object \(object)" : "\(error)")")
        throw Outcome.impossible
      }
      try Console.print(text: text)
    }

    /// Shows what a Core Data store says of itself that cannot be read.
    private func show(_ store: StoreInspection, _ file: String) throws {
      switch shownForm {
      case .json: try Console.print(text: JSON(file, store).text())
      case .tree: try Console.print(text: StoreText(file, store, nil).text())
      }
    }
  }
}
