import ArchiveReader
import ArgumentParser
import Converter

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
