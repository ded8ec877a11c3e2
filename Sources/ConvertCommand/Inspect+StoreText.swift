import ArchiveReader
import Converter
import Support

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
