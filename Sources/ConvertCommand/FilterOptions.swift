import ArgumentParser
import Converter

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
