import ArgumentParser

/// The name `-`, which many programs take for standard output.
enum StandardOutput {
  /// Refuses an output of that name, which would become a file called `-`.
  ///
  /// - Parameters:
  ///   - path: The path of the output; nil if there is none.
  ///   - option: The option that names it.
  /// - Throws: The end of the command, if it has that name.
  static func refuse(_ path: String?, _ option: String) throws {
    guard path == "-" else { return }
    throw ValidationError(
      "\(option) cannot write to standard output; to write a file named '-', use './-'.")
  }
}
