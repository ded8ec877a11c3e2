import ArchiveReader
import ArgumentParser
import Converter
import Foundation
import Support

extension ConvertCommand.Inspect {
  /// True if a path leads to a directory, or to a container, which is searched like one.
  func isDirectory(_ path: String) -> Bool {
    (try? FileSystem.status(of: path)).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
      || Container.find(path) != nil
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

extension ConvertCommand.Inspect {
  /// The description of a Core Data store, for people.
  struct StoreText {
    private let path: String
    private let store: StoreInspection
    /// The inspection of the store's graph; nil without its model.
    private let inspection: ArchiveInspection?

    init(_ path: String, _ store: StoreInspection, _ inspection: ArchiveInspection?) {
      (self.path, self.store, self.inspection) = (path, store, inspection)
    }

    func text() -> String {
      var parts = ["\(Console.styled(Console.printable(path), .bold)): \(heading)\n", facts]
      if !store.entities.isEmpty { parts.append(entities) }
      let names = Set(store.entities.map(\.name))
      let others = inspection?.classes.filter { !names.contains($0.name) } ?? []
      if !others.isEmpty { parts.append(Tree.table(of: others)) }
      return parts.joined(separator: "\n")
    }

    /// The kind of the store, its framework and its counts.
    private var heading: String {
      var framework = "Core Data"
      if let version = store.metadata.frameworkVersion { framework += " \(version)" }
      if let release = store.frameworkRelease { framework += " (\(release))" }
      var words = [store.format.rawValue, framework]
      if let inspection {
        words += Tree.counts(of: inspection)
      } else if let objects = store.objects {
        words.append("\(objects) objects")
      }
      return words.joined(separator: ", ")
    }

    // MARK: What the store says of itself

    private var facts: String {
      var lines: [(label: String, text: String)] = []
      if !store.metadata.uuid.isEmpty { lines.append(("store", store.metadata.uuid)) }
      lines.append(("model", model))
      lines += store.metadataValues.map { ("metadata", "\($0.key): \($0.text)") }
      lines += store.leftOut.filter { $0.rows > 0 }.map { remainder in
        ("left out", "\(remainder.name), \(remainder.count): \(remainder.kind.words)")
      }
      lines += store.notes.map { ("note", $0.description) }
      var last = ""
      return lines.map { label, text in
        defer { last = label }
        let shown = label == last ? "" : label
        return shown.padding(toLength: 10, withPad: " ", startingAt: 0) + Console.printable(text)
          + "\n"
      }.joined()
    }

    private var model: String {
      let place =
        switch store.model {
        case .store: "in the store"
        case .file(let path): path
        case nil: "missing"
        }
      let identifiers = store.metadata.identifiers.filter { !$0.isEmpty }
      guard !identifiers.isEmpty else { return place }
      let words = identifiers.map { "\"\($0)\"" }.joined(separator: ", ")
      return "\(place) (version \(words))"
    }

    // MARK: Entities

    private var entities: String {
      let showsProperties = store.model != nil
      var table = TextTable(
        ["entity", "objects"] + (showsProperties ? ["properties"] : []),
        alignment: [.left, .right] + (showsProperties ? [.left] : []), style: Console.style)
      for entity in store.entities {
        let indent = String(repeating: "  ", count: min(entity.level, Self.maxLevels))
        let name = indent + entity.name + (entity.isAbstract == true ? " (abstract)" : "")
        let count = entity.objects.map(String.init) ?? "unknown"
        let properties = entity.properties.joined(separator: " ")
        table.add([name, count] + (showsProperties ? [properties] : []))
      }
      return table.text()
    }

    /// The most levels that subentities are indented by.
    private static let maxLevels = 32
  }
}
