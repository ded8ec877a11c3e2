import ArchiveReader
import Converter
import Support

extension ConvertCommand.Inspect {
  /// Draws the objects of an archive as a tree, from its top-level keys down.
  ///
  /// An object is drawn where it first occurs; further references name it by its UID.
  struct Tree {
    private let graph: any ObjectGraph
    private let depth: Int
    private let elements: Int
    private var drawn: Set<Int> = []
    private var lines = ""

    init(_ source: any GraphSource, limits: ReadingLimits, depth: Int, elements: Int) {
      graph = source.makeGraph(GraphOptions(limits: limits, readsFoundationValues: false))
      self.depth = depth
      self.elements = elements
    }

    /// The text above the tree: the file, its counts and its classes.
    static func heading(
      _ path: String, _ source: any GraphSource, _ inspection: ArchiveInspection
    ) -> String {
      let facts =
        ["\(source.format.rawValue)", "\(Console.printable(source.archiver)) \(source.version)"]
        + counts(of: inspection)
      let name = Console.styled(Console.printable(path), .bold)
      let positions = source.format.hasPositions ? positions(of: inspection.classes) : ""
      return
        "\(name): \(facts.joined(separator: ", "))\n\n\(table(of: inspection.classes))\(positions)"
    }

    /// The counts of an archive, in words.
    static func counts(of inspection: ArchiveInspection) -> [String] {
      [
        "\(inspection.objects) objects", "\(inspection.reachable) reachable",
        "\(inspection.references) references",
      ] + (inspection.isCyclic ? ["cyclic"] : [])
    }

    /// A table of classes.
    static func table(of classes: [ArchiveInspection.Class]) -> String {
      var table = TextTable(
        ["class", "objects", "keys"], alignment: [.left, .right, .left], style: Console.style)
      for record in classes {
        let name = record.plainName.map { "\(record.name) (\($0))" } ?? record.name
        table.add([name, "\(record.count)", record.keys.map(\.key).joined(separator: " ")])
      }
      return table.text()
    }

    /// A table of the archives in the columns of a database.
    static func table(of contents: [ColumnContent]) -> String {
      guard !contents.isEmpty else { return "No value is an archive.\n" }
      var table = TextTable(
        ["archives in", "format", "values", "bytes"], alignment: [.left, .left, .right, .right],
        style: Console.style)
      for content in contents {
        let place = "\(content.table).\(content.column)"
        table.add([
          content.isInner ? "data in those of \(place)" : place, content.format,
          Words.grouped(content.count), Words.grouped(content.bytes),
        ])
      }
      return table.text()
    }

    /// A table of the positions of classes that have no keys, and of what stands there: so a person
    /// finds out what they are.
    private static func positions(of classes: [ArchiveInspection.Class]) -> String {
      var table = TextTable(
        ["class", "position", "objects", "what stands there"],
        alignment: [.left, .left, .right, .left], style: Console.style)
      var isEmpty = true
      for record in classes {
        var name = "\(record.name)\(record.version.map { "#\($0)" } ?? "")"
        for key in record.keys where key.key.wholeMatch(of: /v[0-9]+(_[0-9]+)?/) != nil {
          let bounds = key.bounds.map { bounds in
            let (least, greatest) = (Self.text(bounds.least), Self.text(bounds.greatest))
            return least == greatest ? " \(least)" : " \(least) to \(greatest)"
          }
          let types = key.types.joined(separator: ", ")
          table.add([name, key.key, "\(key.count)", types + (bounds ?? "")])
          (name, isEmpty) = ("", false)
        }
      }
      return isEmpty ? "" : "\n\(table.text())"
    }

    private static func text(_ number: Double) -> String {
      Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    /// The tree, a line for each value.
    mutating func text() -> String {
      lines = ""
      for root in graph.source.roots {
        let reading = Self.reading { () throws(ArchiveError) in try graph.value(of: root) }
        draw(root.key, reading, indent: "", childIndent: "", level: 0)
      }
      return lines
    }

    /// The tree below one object.
    ///
    /// - Parameter uid: The UID of the object.
    /// - Returns: The text, a line for each value.
    /// - Throws: `ArchiveError` if there is no such object, or it cannot be read.
    mutating func text(ofObject uid: Int) throws(ArchiveError) -> String {
      lines = ""
      let value = try graph.value(ofObject: uid)
      draw("object \(number(uid))", .value(value), indent: "", childIndent: "", level: 0)
      return lines
    }

    /// The number by which people know an object.
    private func number(_ uid: Int) -> Int64 { graph.source.number(ofObject: uid) }

    /// A value, or the reason why there is none.
    private enum Reading {
      case value(GraphValue)
      case error(ArchiveError)
    }

    /// Reads the value of a line, which tells its own position: an error need not.
    private static func reading(
      at position: ArchiveError.Position? = nil, _ read: () throws(ArchiveError) -> GraphValue
    ) -> Reading {
      do throws(ArchiveError) {
        return .value(try read())
      } catch {
        var error = error
        if error.position == position { error.position = nil }
        return .error(error)
      }
    }

    // MARK: Drawing

    private mutating func draw(
      _ label: String, _ reading: Reading, indent: String, childIndent: String, level: Int
    ) {
      let name = Console.printable(label)
      switch reading {
      case .error(let error):
        line(indent, name, Console.styled(Console.printable("\(error)"), .red))
      case .value(.object(let uid, let id)):
        let title = self.title(of: uid, id)
        guard !drawn.contains(uid) else {
          line(indent, name, Console.styled("\(title) (above)", .dim))
          return
        }
        guard level < depth else {
          line(indent, name, "\(title) …")
          return
        }
        drawn.insert(uid)
        line(indent, name, Console.styled(title, .bold))
        drawKeys(uid, childIndent, level)
      case .value(.collection(let collection, let kind)):
        drawElements(collection, kind, name, indent, childIndent, level)
      case .value(let value):
        line(indent, name, describe(value))
      }
    }

    private mutating func drawKeys(_ uid: Int, _ indent: String, _ level: Int) {
      guard let object = try? graph.object(uid) else { return }
      let keys = graph.keys(ofShape: object.shape)
      let positions = keys.indices.filter { keys[$0] != "$class" }
      for position in positions {
        let isLast = position == positions.last
        let reading = Self.reading(at: .object(uid, key: keys[position])) {
          () throws(ArchiveError) in try graph.value(of: object, at: position)
        }
        draw(
          keys[position], reading, indent: indent + (isLast ? "└─ " : "├─ "),
          childIndent: indent + (isLast ? "   " : "│  "), level: level + 1)
      }
    }

    private mutating func drawElements(
      _ collection: CollectionID, _ kind: CollectionKind, _ name: String, _ indent: String,
      _ childIndent: String, _ level: Int
    ) {
      guard let all = try? graph.elements(of: collection, kind) else {
        line(indent, name, Console.styled("damaged \(kind.rawValue)", .red))
        return
      }
      let title = "\(kind.rawValue) of \(all.count)"
      if case .object(let uid) = collection, drawn.contains(uid) {
        line(indent, name, Console.styled("\(title) #\(number(uid)) (above)", .dim))
        return
      }
      guard level < depth else {
        line(indent, name, all.count == 0 ? title : "\(title) …")
        return
      }
      if case .object(let uid) = collection, all.count > 0 { drawn.insert(uid) }
      line(indent, name, title)
      let shown = min(all.count, elements)
      for position in 0..<shown {
        let isLast = position == all.count - 1
        var label = "\(position)"
        if kind.isKeyed, let key = try? graph.key(of: all, at: position) { label = describe(key) }
        let reading = Self.reading { () throws(ArchiveError) in
          try graph.value(of: all, at: position)
        }
        draw(
          label, reading, indent: childIndent + (isLast ? "└─ " : "├─ "),
          childIndent: childIndent + (isLast ? "   " : "│  "), level: level + 1)
      }
      if shown < all.count {
        lines += "\(childIndent)└─ \(Console.styled("… \(all.count - shown) more", .dim))\n"
      }
    }

    private mutating func line(_ indent: String, _ name: String, _ value: String) {
      lines += "\(indent)\(name): \(value)\n"
    }

    // MARK: Values

    private func title(of uid: Int, _ id: ClassID) -> String {
      "\(Console.printable(graph.classes[id.index].name)) #\(number(uid))"
    }

    private func describe(_ value: GraphValue) -> String {
      switch value {
      case .text(let text):
        let string = text.string
        return "\"\(Console.printable(String(string.prefix(80))))\(string.count > 80 ? "…" : "")\""
      case .data(let bytes): return "data, \(bytes.count) bytes"
      case .null: return Console.styled("nil", .dim)
      case .nsNull: return "NSNull"
      case .className(let id): return "class \(Console.printable(graph.classes[id.index].name))"
      case .object(let uid, let id), .foundation(let uid, let id): return title(of: uid, id)
      case .collection(_, let kind): return kind.rawValue
      case .bool(let value): return "\(value)"
      case .integer(let value): return "\(value)"
      case .wideInteger(let wide): return "\(wide.value)"
      case .real(let value): return "\(value)"
      case .date(let seconds): return DateText.text(secondsSince2001: seconds)
      case .uuid(let bytes): return UUIDText.text(bytes)
      case .decimal(let decimal): return decimal.text
      case .url(let text): return Console.printable(text.string)
      case .relativeURL(let uid):
        return Console.printable(graph.urlText(uid) ?? "NSURL #\(number(uid))")
      }
    }
  }
}
