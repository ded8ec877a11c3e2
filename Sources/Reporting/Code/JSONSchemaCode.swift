import Stores
import Support

/// A JSON Schema of the rows of a store, as `sqlite3 -json` prints them.
///
/// Other generators make types of many languages of it.
struct JSONSchemaCode {
  private let outline: StoreOutline

  init(_ outline: StoreOutline) { self.outline = outline }

  func files() throws(StoreError) -> [CodeFile] {
    var definitions: [String: Schema] = [:]
    var tables: [String: Schema] = [:]
    for entity in outline.entities {
      definitions[entity.name] = schema(entity)
      tables[entity.table] = Schema(
        types: ["array"], items: ["$ref": "#/$defs/\(entity.name)"])
    }
    var store = Schema(types: ["object"], properties: tables)
    store.comment = CodeFile.mark + ", which replaces this file."
    store.version = "https://json-schema.org/draft/2020-12/schema"
    store.definitions = definitions
    do {
      let text = try JSONDocument.text(of: store)
      return [CodeFile(name: "store.schema.json", text: text, isForHumans: false)]
    } catch {
      throw StoreError(.unreadable, path: "", reason: "a name has no form in JSON")
    }
  }

  private func schema(_ entity: StoreOutline.Entity) -> Schema {
    var schema = Schema(types: ["object"])
    if !entity.classes.isEmpty {
      schema.description = "An archived \(entity.classes.joined(separator: " or "))."
    }
    schema.properties = Dictionary(
      entity.columns.map { ($0.name, self.schema($0, entity)) }, uniquingKeysWith: { $1 })
    schema.required = entity.columns.map(\.name)
    schema.allowsOthers = false
    return schema
  }

  private func schema(_ column: StoreOutline.Column, _ entity: StoreOutline.Entity) -> Schema {
    var schema: Schema =
      switch column.kind {
      case .boolean: Schema(types: ["integer"], description: "0 or 1")
      case .integer: Schema(types: ["integer"])
      case .real: Schema(types: ["number"])
      case .text: Schema(types: ["string"])
      case .data: Schema(types: ["string"], description: "bytes")
      case .date: Schema(types: ["string"], description: "ISO 8601 in UTC")
      case .decimal: Schema(types: ["string"], description: "an exact decimal number")
      case .uuid: Schema(types: ["string"], format: "uuid")
      case .url: Schema(types: ["string"], description: "a URL")
      case .json: Schema(types: ["string"], description: "JSON")
      case .any: Schema(types: ["integer", "number", "string"])
      }
    if column.isOptional { schema.types?.append("null") }
    if case .reference(_, let table)? = entity.reference(column.name)?.route {
      schema.description = "the \(table) of this key"
    }
    return schema
  }

  private struct Schema: Encodable {
    var types: [String]?
    var description: String?
    var format: String?
    var items: [String: String]?
    var properties: [String: Schema]?
    var required: [String]?
    var allowsOthers: Bool?
    var comment: String?
    var version: String?
    var definitions: [String: Schema]?

    private enum CodingKeys: String, CodingKey {
      case description, format, items, properties, required
      case types = "type"
      case allowsOthers = "additionalProperties"
      case comment = "$comment"
      case version = "$schema"
      case definitions = "$defs"
    }
  }
}
