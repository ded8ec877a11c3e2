import GraphCore

extension GraphChecker {
  /// Everything that a graph gives, in words: two graphs that give the same have the same
  /// transcript.
  struct Transcript {
    private let graph: any ObjectGraph
    private var lines: [String] = []
    private var pendingCollections: [(id: CollectionID, kind: CollectionKind)] = []
    private var seenCollections: Set<CollectionID> = []

    init(_ graph: any ObjectGraph) {
      self.graph = graph
    }

    mutating func text() -> String {
      let graph = graph
      for root in graph.source.roots {
        add("root \(root.key)") { () throws(ArchiveError) in try graph.value(of: root) }
      }
      for uid in 0..<graph.source.objectCount {
        add("object \(uid)") { () throws(ArchiveError) in try graph.value(ofObject: uid) }
        guard case .object(let uid, _)? = try? graph.value(ofObject: uid),
          let object = try? graph.object(uid)
        else { continue }
        let keys = graph.keys(ofShape: object.shape).prefix(object.keyCount)
        for (position, key) in keys.enumerated() where key != "$class" {
          add("\(uid).\(key)") { () throws(ArchiveError) in
            try graph.value(of: object, at: position)
          }
        }
      }
      while let (id, kind) = pendingCollections.popLast() {
        guard let elements = try? graph.elements(of: id, kind) else {
          lines.append("\(id): no \(kind.rawValue)")
          continue
        }
        for position in 0..<elements.count {
          add("\(id)[\(position)]") { () throws(ArchiveError) in
            try graph.value(of: elements, at: position)
          }
          guard kind.isKeyed else { continue }
          add("\(id){\(position)}") { () throws(ArchiveError) in
            try graph.key(of: elements, at: position)
          }
        }
      }
      return lines.joined(separator: "\n")
    }

    private mutating func add(_ place: String, _ read: () throws(ArchiveError) -> GraphValue) {
      do throws(ArchiveError) {
        let value = try read()
        lines.append("\(place): \(Self.words(value, graph))")
        if case .collection(let id, let kind) = value, seenCollections.insert(id).inserted {
          pendingCollections.append((id, kind))
        }
      } catch {
        lines.append("\(place): \(error)")
      }
    }

    /// A value in words: equal values have equal words, and different ones others.
    static func words(_ value: GraphValue, _ graph: any ObjectGraph) -> String {
      func name(_ id: ClassID) -> String { graph.classes[id.index].name }
      func bytes(_ bytes: BorrowedBytes) -> String {
        // FNV-1a: the bytes themselves would be too long.
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
          ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return "\(bytes.count) bytes \(hash)"
      }
      return switch value {
      case .null: "nil"
      case .bool(let value): "bool \(value)"
      case .integer(let value): "integer \(value)"
      case .wideInteger(let wide): "integer \(wide.value)"
      case .real(let value): "real \(value.bitPattern)"
      case .date(let seconds): "date \(seconds.bitPattern)"
      case .text(let text): "text \(text.encoding) \(bytes(text.bytes))"
      case .data(let data): "data \(bytes(data))"
      case .uuid(let uuid): "uuid \(bytes(uuid))"
      case .decimal(let decimal): "decimal \(decimal.text)"
      case .url(let text): "url \(bytes(text.bytes))"
      case .relativeURL(let uid): "url of \(uid): \(graph.urlText(uid) ?? "none")"
      case .nsNull: "NSNull"
      case .className(let id): "class \(name(id))"
      case .foundation(let uid, let id):
        "\(name(id)) \(uid): \(((try? graph.foundationValue(uid)) ?? nil)?.json ?? "none")"
      case .object(let uid, let id): "\(name(id)) \(uid)"
      case .collection(let id, let kind): "\(kind.rawValue) \(id)"
      }
    }
  }
}
