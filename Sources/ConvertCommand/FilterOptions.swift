import ArgumentParser
import Importer

/// The options that say which files of directories are looked at, for all commands that search some.
struct FilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Of the files in directories, look only at those that this fits, such as '*.archive'; may be "
        + "repeated.", valueName: "glob"))
  var include: [String] = []

  @Option(
    help: ArgumentHelp(
      "Of the files in directories, leave out those that this fits, and do not search directories "
        + "that it fits; may be repeated. A glob with a slash is for the path below the directory "
        + "that is searched.", valueName: "glob"))
  var exclude: [String] = []

  /// The filter as it is set.
  var filter: FileFilter { FileFilter(included: include, excluded: exclude) }
}
