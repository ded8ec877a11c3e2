extension Mapping {
  /// Reads a mapping file.
  ///
  /// - Throws: All problems of the file; of YAML that is malformed, only the first.
  public init(contentsOf path: String) throws(MappingError) {
    self = try MappingReader.mapping(MappingText(contentsOf: path))
  }

  /// Reads the text of a mapping file; the path is for messages.
  ///
  /// - Throws: All problems of the text; of YAML that is malformed, only the first.
  public init(yaml text: String, path: String) throws(MappingError) {
    self = try MappingReader.mapping(MappingText(text, path: path))
  }
}

/// Reads a mapping from a YAML document, and notes everything that is wrong with it on the way.
///
/// What is wrong is left out of the mapping, which nobody sees then.
struct MappingReader {
  /// The greatest number of problems that are listed.
  private static let maxProblems = 100

  let source: MappingText
  private var problems: [MappingError.Problem] = []
  private var omittedCount = 0

  static func mapping(_ source: MappingText) throws(MappingError) -> Mapping {
    var reader = MappingReader(source: source)
    let root = try Document(source).root
    let mapping = root.map { reader.mapping($0) } ?? Mapping()
    guard let first = reader.problems.first else { return mapping }
    throw MappingError(
      path: source.path, first, Array(reader.problems.dropFirst()),
      omittedCount: reader.omittedCount)
  }

  private init(source: MappingText) {
    self.source = source
  }

  /// True if further problems are only counted.
  var isFull: Bool { problems.count >= Self.maxProblems }

  /// Notes a problem.
  ///
  /// The nearest name is sought only for problems that are listed.
  mutating func note(
    _ code: MappingError.Code, at mark: SourceMark, name: String? = nil, expected: String? = nil,
    among names: @autoclosure () -> [String] = []
  ) {
    guard !isFull else {
      omittedCount += 1
      return
    }
    let nearest = name.flatMap { NearestName.find($0, in: names()) }
    problems.append(
      MappingError.Problem(code, at: mark, name: name, expected: expected, nearest: nearest))
  }

  // MARK: The file

  private mutating func mapping(_ node: MappingNode) -> Mapping {
    var mapping = Mapping()
    guard !node.isNull, let fields = fields(node, .mapping) else { return mapping }
    mapping.model = name(fields["model"], "a path")
    mapping.modelDigest = name(fields["modelDigest"], "a digest")
    mapping.stripPrefix = name(fields["stripPrefix"], "a prefix")?.value
    mapping.addPrefix = name(fields["addPrefix"], "a prefix")?.value
    mapping.plainNames = fields["plainNames"].flatMap { flag($0) } ?? false
    mapping.seeThrough = list(fields["seeThrough"], "a list of classes").compactMap {
      name($0, "a class")
    }
    mapping.records = list(fields["records"], "a list of paths").compactMap { name($0, "a path") }
    mapping.pairs = list(fields["pairs"], "a list of paths").compactMap { name($0, "a path") }
    mapping.foreignKeys = foreignKeys(fields["foreignKeys"])
    mapping.newestBy = named(fields["newestBy"], "a block of tables", "a table").compactMap {
      table, column in
      name(column, "the name of a column").map { TableColumn(table: table, column: $0) }
    }
    (mapping.classes, mapping.positions) = classes(fields["classes"])
    mapping.entities = entities(fields["entities"])
    mapping.passes = list(fields["passes"], "a list of passes").compactMap { pass($0) }
    mapping.policies = policies(fields["policies"])
    mapping.views = named(fields["views"], "a block of views", "a view").compactMap { name, value in
      view(value, name)
    }
    return mapping
  }

  private mutating func pass(_ node: MappingNode) -> Mapping.Pass? {
    guard let fields = fields(node, .pass) else { return nil }
    let entities = entities(fields["entities"])
    guard let node = required("name", fields, .pass) else { return nil }
    return name(node).map { Mapping.Pass(name: $0, entities: entities) }
  }

  private mutating func foreignKeys(_ node: MappingNode?) -> [ForeignKey] {
    named(node, "a block of tables", "a table").flatMap { table, columns in
      named(columns, "a block of columns", "a column").compactMap { column, target in
        name(target, "the name of a table").map {
          ForeignKey(table: table, column: column, target: $0)
        }
      }
    }
  }

  private mutating func view(_ node: MappingNode, _ name: Marked<String>) -> ViewMapping? {
    if case .text? = node.scalar {
      return self.name(node, "a query").map { ViewMapping(name: name, query: $0) }
    }
    guard let fields = fields(node, .view, or: "a query, or a block of a view"),
      let query = required("query", fields, .view).flatMap({ self.name($0, "a query") })
    else { return nil }
    return ViewMapping(
      name: name, query: query, isOptional: flag(fields["optional"]) ?? false,
      report: self.name(fields["report"], "words for the report")?.value)
  }

  // MARK: Classes

  private mutating func classes(_ node: MappingNode?) -> ([ClassMapping], [PositionMapping]) {
    var (classes, positions): ([ClassMapping], [PositionMapping]) = ([], [])
    for (name, value) in named(node, "a block of classes", "a class", areArchived: true) {
      if case .block(let pairs) = value.content,
        pairs.contains(where: { ["fields", "lists"].contains($0.key.word) })
      {
        if let found = self.positions(value, of: name) { positions.append(found) }
      } else if let kind = classKind(value) {
        classes.append(ClassMapping(className: name, kind: kind))
      }
    }
    return (classes, positions)
  }

  /// The names of positions in typedstreams.
  private mutating func positions(
    _ node: MappingNode, of name: Marked<String>
  ) -> PositionMapping? {
    guard let fields = fields(node, .classMapping) else { return nil }
    for key in ["fields", "lists"] { noteConflict(key, ["value", "ignore", "class"], fields) }
    var seen: Set<String> = []
    var names: [[String?]] = []
    for item in list(fields["fields"], "a list of names") {
      if case .list(let values) = item.content {
        names.append(values.map { fieldName($0, &seen) })
      } else {
        names.append([fieldName(item, &seen)])
      }
    }
    var positions: Set<Int>?
    if let lists = fields["lists"] {
      let found = list(lists, "a list of positions")
      positions = Set(found.compactMap { integer($0, in: 1...Int(UInt16.max)) })
    }
    return PositionMapping(className: name, fields: names, lists: positions)
  }

  /// The name of a field; nil for null.
  private mutating func fieldName(_ node: MappingNode, _ seen: inout Set<String>) -> String? {
    guard !node.isNull, let name = name(node, "the name of a field, or null")?.value else {
      return nil
    }
    // What a value of a position with a name is called is taken.
    let numbered = "\0"
    if name.wholeMatch(of: /v[0-9]+(_[0-9]+)?|class_version/) != nil {
      note(.wrongKind, at: node.mark, name: "the name of a position", expected: "a name of its own")
      return nil
    }
    var isTaken = seen.contains(name + numbered) || !seen.insert(name).inserted
    if let base = name.wholeMatch(of: /(.+)_[0-9]+/).map({ String($0.1) }) {
      isTaken = isTaken || seen.contains(base)
      seen.insert(base + numbered)
    }
    if isTaken { note(.duplicateKey, at: node.mark, name: name, expected: "a list of fields") }
    return name
  }

  private mutating func classKind(_ node: MappingNode) -> ClassMapping.Kind? {
    guard case .block(let pairs) = node.content, !pairs.isEmpty else {
      return name(
        node, "the name of an entity, or a block with 'value', 'ignore', 'class' or 'fields'"
      )
      .map { .entity($0) }
    }
    guard let fields = fields(node, .classMapping) else { return nil }
    if let translation = fields["class"] {
      let others = ["value", "ignore"].filter { fields[$0] != nil }
      if !others.isEmpty { noteConflict("class", others, fields) }
      return name(translation, "the name of a class").map { .translated(to: $0.value) }
    }
    if let ignore = fields["ignore"] {
      if fields["value"] != nil { noteConflict("ignore", ["value"], fields) }
      guard flag(ignore) == false else { return .ignored }
      note(.wrongKind, at: ignore.mark, name: "false", expected: "true")
      return nil
    }
    return name(fields["value"], "a key").map { .value(key: $0.value) }
  }
}

extension MappingReader {
  /// The entity mappings of a file or a pass, in order.
  mutating func entities(_ node: MappingNode?) -> [EntityMapping] {
    named(node, "a block of entities", "an entity").flatMap { name, value in
      guard case .list(let items) = value.content else { return [entity(name, value)] }
      if items.isEmpty {
        note(
          .wrongKind, at: value.mark, name: value.kind,
          expected: "a block of an entity, or a list of such blocks")
      }
      return items.map { entity(name, $0) }
    }
  }

  private mutating func entity(_ name: Marked<String>, _ node: MappingNode) -> EntityMapping {
    var entity = EntityMapping(entity: name)
    let expected = "a block of an entity, or a list of such blocks"
    guard !node.isNull, let fields = fields(node, .entity, or: expected) else { return entity }
    entity.name = self.name(fields["name"])
    entity.sources = names(fields["from"])
    entity.parent = self.name(fields["parent"])
    entity.isAbstract = flag(fields["abstract"]) ?? false
    entity.filter = filter(fields["where"])
    entity.identity = names(fields["identity"])
    entity.policy = self.name(fields["policy"])
    entity.isComplete = flag(fields["complete"]) ?? false
    entity.keepsValues = flag(fields["keepValues"]) ?? false
    entity.attributes = named(fields["attributes"], "a block of attributes", "an attribute")
      .compactMap { attribute($0, $1) }
    entity.relationships = named(
      fields["relationships"], "a block of relationships", "a relationship"
    ).flatMap { relationships($0, $1) }
    entity.collections = named(fields["collections"], "a block of collections", "a collection")
      .compactMap { collection($0, $1) }
    entity.unread = names(fields["unread"])
    return entity
  }
}

extension MappingReader {
  /// A predicate; nil if it is wrong, or the key is absent.
  mutating func filter(_ node: MappingNode?) -> Marked<FilterPredicate>? {
    guard let text = name(node, "a predicate"), let node else { return nil }
    do throws(ExpressionError) {
      return Marked(try FilterPredicate(parsing: text.value), at: node.mark)
    } catch {
      note(error, .badPredicate, node)
      return nil
    }
  }

  /// An expression; nil if it is wrong.
  mutating func expression(_ node: MappingNode) -> Marked<ValueExpression>? {
    guard let text = name(node, "an expression") else { return nil }
    do throws(ExpressionError) {
      return Marked(try ValueExpression(parsing: text.value), at: node.mark)
    } catch {
      note(error, .badExpression, node)
      return nil
    }
  }

  /// The words say the place where the mark cannot.
  private mutating func note(
    _ error: ExpressionError, _ code: MappingError.Code, _ node: MappingNode
  ) {
    let mark = isFull ? nil : source.mark(of: error.offset, in: node)
    let words = mark == nil ? error.description : error.sentence
    note(code, at: mark ?? node.mark, name: words)
  }
}
