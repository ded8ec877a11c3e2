import Importer
import Support

/// Files of types in Swift: for each type one that is made again, and one for the user's own code.
struct SwiftCode {
  private var parts: [CodeFile] = []
  private let head: String

  /// Begins with no type.
  ///
  /// - Parameters:
  ///   - modules: The modules that the files import.
  ///   - need: A comment on what the types are for.
  init(importing modules: [String], for need: String) {
    let lines = ["// \(CodeFile.mark), which replaces this file.", "// \(need)"]
    head = (lines + modules.map { "import \($0)" }).joined(separator: "\n") + "\n\n"
  }

  /// The files for the tables of a store.
  ///
  /// - Parameters:
  ///   - outline: The tables.
  ///   - module: The library that the files import.
  ///   - need: A comment on what the types are for.
  ///   - values: The code of the values that the library has no form for.
  ///   - lines: The declaration of a type.
  /// - Returns: The files, in the order of their names.
  static func files(
    _ outline: StoreOutline, importing module: String, for need: String, values: String,
    _ lines: (StoreOutline.Entity) -> [String]
  ) -> [CodeFile] {
    var code = SwiftCode(importing: ["Foundation", module], for: need)
    code.add("StoreValues", values + dates + json)
    for entity in outline.entities {
      code.add(entity.name, lines(entity), own: "\nextension \(entity.name)")
    }
    return code.files
  }

  /// The files, in the order of their names.
  var files: [CodeFile] { parts.sorted { $0.name.precedesInBytes($1.name) } }

  /// Adds a file that is made again.
  mutating func add(_ name: String, _ text: String) {
    parts.append(CodeFile(name: "_\(name).swift", text: head + text, isForHumans: false))
  }

  /// Adds a type.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - lines: The lines of its declaration.
  ///   - own: What the file for the user's own code begins with, up to a brace.
  mutating func add(_ name: String, _ lines: [String], own: String) {
    add(name, lines.joined(separator: "\n") + "\n")
    parts.append(
      CodeFile(
        // Names with an underscore are those of files that are made again.
        name: name.hasPrefix("_") ? "\(name)+Own.swift" : "\(name).swift",
        text: "// A place for your own code: this file is written once.\n\(own) {\n}\n",
        isForHumans: true))
  }

  /// A name in a comment, which it cannot end.
  static func quoted(_ name: String) -> String {
    "`\(SwiftSource.literal(name).dropFirst().dropLast())`"
  }

  /// The words that members and types may not be called, whatever the library.
  static let reservedWords = reservedWords(
    """
    Column Decimal Foundation ID Identifiable Int StoreValues URL UUID didSet get hashValue set
    willSet
    """, using: dates + json
  ).union(SwiftSource.reservedWords)

  /// Words, and the names of the types in code.
  static func reservedWords(_ words: String, using code: String) -> Set<String> {
    let lines = code.split(separator: "\n").filter { !$0.contains("//") }
    // SQL is in capitals.
    let types = SwiftSource.words(lines.joined(separator: "\n"))
      .filter { $0.first?.isUppercase == true && $0 != $0.uppercased() }
    return SwiftSource.words(words).union(types)
  }
}

extension StoreOutline.Entity {
  /// The doc comment of the type in Swift.
  var swiftDocumentation: String {
    "/// A row of the \(key == nil ? "view" : "table") \(SwiftCode.quoted(table))"
      + (classes.isEmpty
        ? "."
        : ": an archived \(classes.map(SwiftCode.quoted).joined(separator: " or ")).")
  }

  /// The columns in Swift.
  ///
  /// - Parameter declaration: The lines that declare a column; none to leave it out.
  /// - Returns: The lines of the members, with their doc comments.
  func swiftMembers(_ declaration: (StoreOutline.Column) -> [String]) -> [String] {
    columns.flatMap { column -> [String] in
      let lines = declaration(column)
      guard !lines.isEmpty else { return [] }
      var comments: [String] = []
      if let key = column.key, key != column.member {
        comments.append("  /// The key \(SwiftCode.quoted(key)).")
      }
      if column.kind == .json { comments.append("  /// JSON: see values.md for the fields.") }
      return comments + lines.map { "  \($0)" }
    }
  }
}

extension StoreOutline.Kind {
  /// The type in Swift.
  var swiftType: String {
    switch self {
    case .boolean: "Bool"
    case .integer: "Int64"
    case .real: "Double"
    case .text: "String"
    case .date: "Date"
    case .decimal: "Decimal"
    case .uuid: "UUID"
    case .url: "URL"
    case .data: "Data"
    case .json: "JSONValue"
    case .any: "StoreValue"
    }
  }
}

extension StoreTables.Route {
  /// The doc comment of the way in Swift.
  var swiftDocumentation: String {
    switch self {
    case .reference(let column, _): "/// The row that \(SwiftCode.quoted(column)) leads to."
    case .members(_, let column, let position):
      "/// The rows whose \(SwiftCode.quoted(column)) leads here\(Self.order(position))."
    case .links(let table, _, _, _, _, let position):
      "/// The rows of \(SwiftCode.quoted(table)) that lead from here\(Self.order(position))."
    }
  }

  private static func order(_ position: String?) -> String {
    position == nil ? "" : ", in their order"
  }
}
