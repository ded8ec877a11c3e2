import ArchiveReader
import ArgumentParser
import Converter

/// The option that changes the limits for hostile files, for all commands that read archives.
struct LimitOptions: ParsableArguments {
  @Option(
    name: .customLong("limit"),
    help: ArgumentHelp(
      "Change a limit that protects against hostile files; may be repeated. The limits and their "
        + "defaults are \(Self.list).", valueName: "name=number"),
    completion: .list(ReadingLimits.Name.allCases.map { "\($0.rawValue)=" }),
    transform: Setting.init)
  var settings: [Setting] = []

  /// The limits as they are set: of several settings of one, the last counts.
  var limits: ReadingLimits {
    settings.reduce(into: .standard) { $0[$1.name] = $1.value }
  }

  /// The limits that apply to reading a compiled model.
  static let ofModels: Set<ReadingLimits.Name> = [.depth, .chain, .values, .xmlBytes]

  /// Refuses settings of limits that a command does not use.
  func check(_ names: Set<ReadingLimits.Name>, command: String) throws {
    guard let other = settings.first(where: { !names.contains($0.name) }) else { return }
    throw ValidationError("\(command) does not use the limit \(other.name.rawValue).")
  }

  /// Each limit with its default.
  private static let list = ReadingLimits.Name.allCases
    .map { "\($0.rawValue)=\(ReadingLimits.standard[$0])" }.joined(separator: ", ")
}

extension LimitOptions {
  /// A limit and the number that it is set to.
  struct Setting: Sendable {
    var name: ReadingLimits.Name
    var value: Int

    /// Reads `name=number`.
    init(_ argument: String) throws {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw ValidationError("Specify a limit as name=number, such as depth=1000.")
      }
      guard let name = ReadingLimits.Name(rawValue: String(parts[0])) else {
        let names = ReadingLimits.Name.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("There is no limit with this name; the limits are \(names).")
      }
      guard let value = Int(parts[1]), value >= 1, value <= name.highest else {
        throw ValidationError(
          "The limit \(name.rawValue) must be a whole number from 1 to \(name.highest).")
      }
      self.name = name
      self.value = value
    }
  }
}

/// The options for classes, dictionaries and their names, of all commands that read archives by
/// themselves.
struct EntityOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Strip this prefix from class names and keys: with MT, MTNote becomes Note, and MTOwner owner.",
      valueName: "prefix"))
  var stripPrefix: String?

  @Flag(
    help: """
      Give tables and columns plain names: letters, digits and _, without prefixes such as MT or \
      NS.; a key id keeps its name.
      """)
  var plainNames = false

  @Option(
    help: ArgumentHelp(
      "Replace objects of this class, such as boxes, that hold one thing and no more by what they "
        + "hold; may be repeated.", valueName: "class"))
  var seeThrough: [String] = []

  @Option(
    help: ArgumentHelp(
      "What becomes of dictionaries with text keys: rows of an entity with these keys as columns, or "
        + "pairs of keys and values. (default: auto, rows if the keys are fields; with a mapping, a "
        + "model or hooks, only what the mapping lists)",
      valueName: "auto|records|pairs"))
  var dictionaries: ConversionOptions.DictionaryForm?

  @Option(
    help: ArgumentHelp(
      "In databases, look for archives only in the columns that match this glob, such as "
        + "message.attributedBody; may be repeated.", valueName: "table.column"))
  var column: [String] = []

  @Option(
    help: ArgumentHelp(
      "Of databases, convert only the columns that match this glob, such as 'message.*', besides "
        + "primary keys and those of --column; may be repeated.", valueName: "table.column"))
  var carry: [String] = []

  @OptionGroup var unwrapOptions: UnwrapOptions

  /// True if nothing is asked for.
  var isEmpty: Bool {
    stripPrefix == nil && !plainNames && dictionaries == nil
      && [seeThrough, column, carry].allSatisfy(\.isEmpty) && unwrapOptions.unwrap.isEmpty
  }

  /// Adds them to the options of a conversion.
  func apply(to options: inout ConversionOptions) {
    options.stripPrefix = stripPrefix.map { FileName.printable($0) }
    options.plainNames = plainNames
    options.seeThrough = seeThrough
    options.dictionaries = dictionaries
    (options.archiveColumns, options.carriedColumns) = (column, carry)
    options.unwrapSteps = unwrapOptions.unwrap
  }
}

extension ConversionOptions.DictionaryForm: ExpressibleByArgument {}

/// The options that filter the files of directories, for all commands that search directories.
struct FilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "In directories, consider only files that match this glob, such as '*.archive'; may be "
        + "repeated.", valueName: "glob"))
  var include: [String] = []

  @Option(
    help: ArgumentHelp(
      "In directories, skip files and subdirectories that match this glob; may be repeated. "
        + "A glob with a slash matches the path below the directory that is searched.",
      valueName: "glob"))
  var exclude: [String] = []

  /// The filter as it is set.
  var filter: FileFilter { FileFilter(included: include, excluded: exclude) }
}

/// The ways to archives that files and data values do not begin with, for all commands that read
/// archives by themselves.
struct UnwrapOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where a file, or with --open-nested a data value, does not begin as an archive, look for one "
        + "inside: skip=N drops N bytes, gzip and base64 are decoded. May be repeated: the steps "
        + "apply in order.", valueName: "skip=N|gzip|base64"))
  var unwrap: [UnwrapStep] = []
}

extension UnwrapStep: ExpressibleByArgument {
  /// Reads the value of an option.
  public init?(argument: String) { self.init(argument) }
}
