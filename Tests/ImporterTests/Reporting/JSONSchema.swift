import Foundation

/// The part of JSON Schema that the schema of reports uses: what does not fit is listed.
struct JSONSchema {
  private let definitions: [String: Any]
  private let root: [String: Any]
  /// The places of the schema that a document had something at.
  private(set) var used: Set<String> = []
  private(set) var faults: [String] = []

  init(_ root: [String: Any]) {
    self.root = root
    definitions = root["$defs"] as? [String: Any] ?? [:]
  }

  /// Compares a document with the schema.
  mutating func check(_ document: Any) {
    check(document, root, at: "", place: "")
  }

  /// All properties that the schema knows, by definition.
  var properties: Set<String> {
    definitions.reduce(into: []) { found, definition in
      Self.collect(definition.value, definition.key, &found)
    }
  }

  private static func collect(_ schema: Any, _ place: String, _ found: inout Set<String>) {
    guard let schema = schema as? [String: Any] else { return }
    for (name, property) in schema["properties"] as? [String: Any] ?? [:] {
      found.insert("\(place).\(name)")
      collect(property, "\(place).\(name)", &found)
    }
  }

  private mutating func check(_ value: Any, _ schema: [String: Any], at path: String, place: String)
  {
    for key in schema.keys where !Self.known.contains(key) { faults.append("\(place): \(key)?") }
    if let reference = schema["$ref"] as? String {
      let name = String(reference.dropFirst("#/$defs/".count))
      guard let definition = definitions[name] as? [String: Any] else {
        faults.append("\(place): no definition \(name)")
        return
      }
      check(value, definition, at: path, place: name)
    }
    if let type = schema["type"] as? String, !Self.isValue(value, type) {
      faults.append("\(path): not \(type)")
      return
    }
    if let words = schema["enum"] as? [String], !words.contains(value as? String ?? "") {
      faults.append("\(path): \(value) is none of \(words)")
    }
    if let pattern = schema["pattern"] as? String, let text = value as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      faults.append("\(path): \(text) does not match \(pattern)")
    }
    if let least = schema["minimum"] as? Double, let number = value as? Double, number < least {
      faults.append("\(path): less than \(least)")
    }
    if let items = schema["items"] as? [String: Any], let list = value as? [Any] {
      for (number, element) in list.enumerated() {
        check(element, items, at: "\(path)[\(number)]", place: place)
      }
    }
    if let object = value as? [String: Any] { check(object: object, schema, at: path, place) }
  }

  private mutating func check(
    object: [String: Any], _ schema: [String: Any], at path: String, _ place: String
  ) {
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    for name in schema["required"] as? [String] ?? [] where object[name] == nil {
      faults.append("\(path): no \(name)")
    }
    for (name, value) in object {
      guard let property = properties[name] else {
        if schema["additionalProperties"] as? Bool == false {
          faults.append("\(path): \(name) is not known")
        }
        continue
      }
      used.insert("\(place).\(name)")
      check(value, property, at: "\(path).\(name)", place: "\(place).\(name)")
    }
  }

  private static let known: Set<String> = [
    "$schema", "title", "$ref", "$defs", "description", "type", "properties", "required",
    "additionalProperties", "items", "enum", "pattern", "minimum",
  ]

  private static func isValue(_ value: Any, _ type: String) -> Bool {
    // JSONSerialization gives numbers and booleans as the same class.
    let number = value as? NSNumber
    let isBoolean = number.map { CFBoolean.isBoolean($0) } ?? false
    return switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "boolean": isBoolean
    case "number": number != nil && !isBoolean
    case "integer": number.map { !isBoolean && $0.doubleValue.rounded() == $0.doubleValue } ?? false
    default: false
    }
  }
}

/// Tells booleans from numbers, which JSONSerialization wraps alike.
private enum CFBoolean {
  static func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
  }
}
