import ArgumentParser
import Converter
import Support

/// The option `--diagram`: a file with the diagram of entities and relationships.
struct DiagramFile: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write a diagram of the entities and their relationships, as .svg.", valueName: "file"),
    completion: .file())
  var diagram: String?

  /// The file, if there is one, as a list of outputs.
  var paths: [String] { diagram.map { [$0] } ?? [] }

  func validate() throws {
    guard let diagram, !diagram.lowercased().hasSuffix(".svg") else { return }
    throw ValidationError("The diagram '\(diagram)' must end in .svg.")
  }

  /// Refuses to start if the file could not be written.
  func checkPlace() throws {
    guard let diagram, let reason = OutputFile.obstacle(to: diagram) else { return }
    Self.complain(diagram, reason)
    throw Outcome.impossible
  }

  /// Writes the diagram.
  ///
  /// - Throws: The end of the command, if the file cannot be written.
  func write(_ content: @autoclosure () -> EntityDiagram) throws {
    guard let diagram, let reason = OutputFile.write(content().text(), to: diagram) else { return }
    Self.complain(diagram, reason)
    throw Outcome.incomplete
  }

  private static func complain(_ path: String, _ reason: String) {
    Console.complain("\(path): the diagram cannot be written: \(reason)")
  }
}
