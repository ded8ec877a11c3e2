import ArgumentParser
import Converter
import Support

/// The option `--datasette`: a file with what Datasette is told of a store.
struct DatasetteFile: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write metadata for Datasette: descriptions, labels, facets, and links to related rows; "
        + "\(endings) chooses the format.",
      valueName: "file"),
    completion: .file())
  var datasette: String?

  private static let endings = Words.list(DatasetteMetadata.endings.map { ".\($0)" }, "or")

  /// The file, if there is one, as a list of outputs.
  var paths: [String] { datasette.map { [$0] } ?? [] }

  func validate() throws {
    guard let datasette, !DatasetteMetadata.canWrite(to: datasette) else { return }
    throw ValidationError("The metadata '\(datasette)' must end in \(Self.endings).")
  }

  /// Refuses a file that another output is written to.
  func check(against others: [String]) throws {
    guard let datasette, others.contains(datasette) else { return }
    throw ValidationError("--datasette and another option name the same file, '\(datasette)'.")
  }

  /// Refuses to start if the file could not be written.
  func checkPlace() throws {
    guard let datasette else { return }
    guard let reason = OutputFile.obstacle(to: datasette) else { return }
    Self.complain(datasette, reason)
    throw Outcome.impossible
  }

  /// Describes a store.
  ///
  /// - Throws: The end of the command, if the file cannot be written.
  func write(ofStoreAt path: String) throws {
    guard let datasette else { return }
    let text: String
    do {
      text = try DatasetteMetadata(storeAt: path).text(for: datasette)
    } catch let error as StoreError {
      Console.complain("\(error)")
      throw Outcome.incomplete
    }
    guard let reason = OutputFile.write(text, to: datasette) else { return }
    Self.complain(datasette, reason)
    throw Outcome.incomplete
  }

  private static func complain(_ path: String, _ reason: String) {
    Console.complain("\(path): the metadata cannot be written: \(reason)")
  }
}
