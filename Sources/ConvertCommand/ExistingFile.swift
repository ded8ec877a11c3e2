import ArgumentParser

/// The treatment of an existing file at the path of a new one.
enum ExistingFile: String, CaseIterable, ExpressibleByArgument {
  /// The command ends, and nothing is written.
  case fail
  /// The new file takes its place.
  case replace
}
