import ArgumentParser
import Converter
import Support

extension ConvertCommand {
  /// `convert export`: a keyed archive from the rows of a store.
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write an archive of a store as a keyed archive again, as its rows are now.",
      discussion: """
        If the store was made with --reversible, an archive whose rows have not changed comes out with \
        the same objects, and what has changed is put back into them. Else objects are made of the \
        rows. Typedstreams and compiled nibs come out as keyed archives. If something cannot be \
        exported, nothing is written.
        """)

    @Argument(help: "The store.", completion: .file())
    var store: String

    @Option(name: [.short, .long], help: "The archive to write.", completion: .file())
    var output: String

    @Option(
      help: ArgumentHelp(
        "The archive to export, by its path as the store has it, if there are several.",
        valueName: "path"))
    var archive: String?

    @Option(
      help: ArgumentHelp(
        "The form of the archive. (default: xml if it was that, else binary)",
        valueName: "binary|xml"))
    var format: ArchiveExport.Form?

    @Option(
      help: ArgumentHelp(
        "What to do if a file of this name already exists.", valueName: "fail|replace"))
    var ifExists = ExistingFile.fail

    @Flag(help: "Read or convert the written archive again, and compare it.")
    var check = false

    @Flag(name: [.short, .long], help: "Do not print the result.")
    var quiet = false

    func validate() throws { try StandardOutput.refuse(output, "-o") }

    func run() throws {
      if !quiet { try Console.requireOutput() }
      let interruption = Interruption()
      defer { interruption.end() }
      let outcome: ArchiveExport.Outcome
      do throws(ConversionError) {
        outcome = try ArchiveExport(store: store, options: ConversionOptions()).write(
          archive, to: output, as: format, replacing: ifExists == .replace, checks: check)
      } catch {
        Console.refuse(store, expected: [.store], error.messages)
        throw Outcome.impossible
      }
      for difference in outcome.differences { Console.complain("\(output): \(difference)") }
      if !quiet { try Console.print(text: Self.text(outcome, output, isChecked: check)) }
      if !outcome.differences.isEmpty { throw Outcome.incomplete }
    }

    private static func text(
      _ outcome: ArchiveExport.Outcome, _ output: String, isChecked: Bool
    ) -> String {
      let objects = Words.count(outcome.objectCount, "object")
      var lines = ["Wrote \(Console.printable(output)): \(objects)"]
      if !["binary", "xml"].contains(outcome.format) {
        lines.append("as a keyed archive; it was a \(outcome.format)")
      }
      switch outcome.isEdited {
      case true?: lines.append("with the changes of its rows")
      case false?: lines.append("its rows are unchanged")
      case nil: lines.append("made of its rows")
      }
      if isChecked, outcome.differences.isEmpty { lines.append("checked") }
      return lines.joined(separator: ", ") + ".\n"
    }
  }
}

extension ArchiveExport.Form: ExpressibleByArgument {}
