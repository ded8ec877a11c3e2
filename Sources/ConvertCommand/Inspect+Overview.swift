import ArchiveReader
import ArgumentParser
import Converter
import Foundation
import Support

extension ConvertCommand.Inspect {
  /// True if a path leads to a directory.
  func isDirectory(_ path: String) -> Bool {
    (try? FileSystem.status(of: path)).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Shows what is in all files, by kind and by class.
  ///
  /// - Throws: The end of the command, if a run would reject one of them.
  func showAll() throws {
    guard object == nil else {
      Console.complain("--object is for one archive")
      throw Outcome.impossible
    }
    var options = ConversionOptions()
    (options.modelPaths, options.limits) = (model, limitOptions.limits)
    options.filter = filterOptions.filter
    options.unwrapSteps = unwrapOptions.unwrap
    let overview = InputOverview(inputs: files, options: options)
    let isReadable = !overview.kinds.isEmpty || overview.rejected.isEmpty
    if isReadable {
      let text = try shownForm == .json ? JSONDocument.text(of: overview) : Self.text(of: overview)
      try Console.print(text: text)
    }
    for file in overview.rejected { Console.complain("\(file.path): \(file.error ?? "")") }
    if !overview.rejected.isEmpty {
      throw isReadable ? Outcome.incomplete : Outcome.impossible
    }
  }

  private static func text(of overview: InputOverview) -> String {
    var parts: [String] = []
    var kinds = TextTable(
      ["kind", "files", "bytes", "objects"], alignment: [.left, .right, .right, .right],
      style: Console.style)
    for kind in overview.kinds {
      kinds.add([
        SourceFormat(rawValue: kind.kind)?.words ?? kind.kind, Words.grouped(kind.files),
        kind.bytes.map(Words.grouped) ?? "", kind.objects.map(Words.grouped) ?? "",
      ])
    }
    let rejected = overview.rejected.count
    if rejected > 0 { kinds.add(["rejected", Words.grouped(rejected), "", ""]) }
    parts.append(overview.kinds.isEmpty && rejected == 0 ? "No files.\n" : kinds.text())
    if !overview.classes.isEmpty {
      var classes = TextTable(
        ["class", "objects", "files"], alignment: [.left, .right, .right], style: Console.style)
      for record in overview.classes {
        let name = record.plainName.map { "\(record.name) (\($0))" } ?? record.name
        classes.add([name, Words.grouped(record.objects), Words.grouped(record.files)])
      }
      parts.append(classes.text())
    }
    var notes: [String] = []
    if overview.duplicates > 0 {
      let verb = overview.duplicates == 1 ? "is a duplicate" : "are duplicates"
      notes.append(
        "\(Words.count(overview.duplicates, "file")) \(verb), whose objects are counted once.\n")
    }
    if overview.excludedFiles > 0 {
      let files = Words.count(
        overview.excludedFiles, "file or directory", plural: "files and directories")
      notes.append("Excluded: \(files) by --include and --exclude.\n")
    }
    if !notes.isEmpty { parts.append(notes.joined()) }
    return parts.joined(separator: "\n")
  }
}

extension SourceFormat {
  /// The format, with what is in it.
  fileprivate var words: String {
    switch self {
    case .binary: "keyed archive (binary)"
    case .xml: "keyed archive (XML)"
    case .nib: "compiled nib"
    case .oldTypedstream: "typedstream (version 3)"
    case .sqliteStore: "Core Data store (SQLite)"
    case .database: "SQLite database"
    case .xmlStore: "Core Data store (XML)"
    case .binaryStore: "Core Data store (binary)"
    default: rawValue
    }
  }
}
