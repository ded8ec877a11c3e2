import ArchiveReader
import ArgumentParser

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
