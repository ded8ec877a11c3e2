import ArgumentParser

/// What happens to a file that stands where a command writes one, and adds nothing to it.
enum ExistingFile: String, CaseIterable, ExpressibleByArgument {
  /// The command ends, and nothing is written.
  case fail
  /// The new file takes its place.
  case replace
}
