import ArgumentParser
import Converter
import Support

extension ConvertCommand {
  /// `convert code`: source code for a store.
  struct Code: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "code",
      abstract: "Write the types of a store as source code for an app.",
      discussion: """
        Each table becomes a type with a member for each column and relationship; for Core Data and \
        SwiftData, each entity of a model. A migrator is a package with types for GRDB that \
        reads old archives into them on devices, and a test with the archives of the store. The command \
        replaces its own files when it is run again, and removes those of tables that are gone. In Swift \
        and Python, their names begin with _; those beside them are yours, and are written once.
        """)

    @Argument(
      help: "A relational store; for Core Data and SwiftData, one in its layout, or a model.",
      completion: .file())
    var store: String

    @Option(
      name: .customLong("for"),
      help: ArgumentHelp(
        "The library that the code is for: in Swift or, for SQLAlchemy, in Python; or a JSON Schema, of "
          + "which other programs make types.",
        valueName: StoreCode.Library.allCases.map(\.rawValue).joined(separator: "|")))
    var library: StoreCode.Library

    @Option(
      name: [.short, .long], help: ArgumentHelp("The folder to write to.", valueName: "folder"),
      completion: .directory)
    var output: String

    @Option(
      help: ArgumentHelp(
        "For a migrator: an archive of the store that is no longer where it was; may be repeated.",
        valueName: "path"), completion: .file())
    var archive: [String] = []

    @OptionGroup var projectOption: ProjectOption

    func validate() throws {
      guard library != .migrator else { return _ = try projectOption.dependency() }
      for (name, isGiven) in [
        ("--archive", !archive.isEmpty), ("--project", projectOption.project != nil),
      ] where isGiven {
        throw ValidationError("\(name) can only be used with --for migrator.")
      }
    }

    func run() throws {
      do {
        let (written, kept, removed) = try write()
        var words = "Wrote \(Words.count(written, "file")) to \(FileName.printable(output))"
        if kept > 0 { words += ", and kept \(Words.count(kept, "file")) of your own" }
        if removed > 0 { words += "; removed \(Words.count(removed, "file")) of former tables" }
        try Console.print(text: words + ".\n")
      } catch let error as StoreError {
        Console.refuse(store, expected: [.store], ["\(error)"])
        throw Outcome.impossible
      } catch let error as ModelError {
        Console.refuse(store, expected: [.model], ["\(error)"])
        throw Outcome.impossible
      } catch let error as ConversionError {
        Console.refuse(store, expected: [.store], error.messages)
        throw Outcome.impossible
      }
    }

    private func write() throws -> (written: Int, kept: Int, removed: Int) {
      guard library == .migrator else {
        return try StoreCode(storeAt: store, for: library).write(to: output)
      }
      return try MigratorPackage(
        ofStoreAt: store, archives: archive, project: try projectOption.dependency(),
        limits: .standard
      ).write(to: output)
    }
  }
}

extension StoreCode.Library: ExpressibleByArgument {}
