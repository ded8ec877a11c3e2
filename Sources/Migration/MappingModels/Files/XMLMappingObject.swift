import ArchiveReader
import DataModel
import Foundation

extension MappingModelDocument {
  /// An object of the XML store that an `.xcmappingmodel` is: its attributes and relationships by
  /// name.
  ///
  /// The store folds case: types are upper-case, names lower-case. Files edited by hand keep
  /// theirs, so names are compared in lower case.
  struct XMLMappingObject {
    /// The entities of Xcode's mapping models.
    enum Kind: String {
      case mappingModel = "XDDEVMAPPINGMODEL"
      case entityMapping = "XDDEVENTITYMAPPING"
      case attributeMapping = "XDDEVATTRIBUTEMAPPING"
      case relationshipMapping = "XDDEVRELATIONSHIPMAPPING"

      /// True if it is the mapping of an attribute or of a relationship.
      var isPropertyMapping: Bool { self == .attributeMapping || self == .relationshipMapping }
    }

    let kind: Kind
    let id: String
    /// The line of its element.
    let line: Int
    private var attributes: [String: String] = [:]
    private var references: [String: [String]] = [:]

    init(_ kind: Kind, id: String, line: Int) {
      (self.kind, self.id, self.line) = (kind, id, line)
    }

    // MARK: Reading its element

    mutating func add(attribute name: String, _ value: String, line: Int) throws(ModelError) {
      guard attributes.updateValue(value, forKey: name.lowercased()) == nil else {
        throw ModelError(.duplicateProperty, entity: id, property: name, line: line)
      }
    }

    mutating func add(relationship name: String, to ids: [String], line: Int) throws(ModelError) {
      guard references.updateValue(ids, forKey: name.lowercased()) == nil else {
        throw ModelError(.duplicateProperty, entity: id, property: name, line: line)
      }
    }

    // MARK: Values

    /// The identifiers of the objects that a relationship holds.
    func ids(_ relationship: String) -> [String] { references[relationship] ?? [] }

    /// The text under a name; nil where it is empty.
    func text(_ name: String) throws(ModelError) -> String? {
      guard let value = attributes[name], !value.isEmpty else { return nil }
      guard let text = Self.decoded(value) else { throw badValue(name) }
      return text
    }

    /// A text without its escapes; nil if one is malformed.
    private static func decoded(_ text: String) -> String? {
      var units: [UInt16] = []
      var rest = text[...].utf8
      while let part = XMLStoreEscape.next(&rest) {
        switch part {
        case .plain(let bytes): units += String(decoding: bytes, as: UTF8.self).utf16
        case .unit(let unit): units.append(unit)
        case .stray: return nil
        }
      }
      return String(validating: units, as: UTF16.self)
    }

    /// A name of a property, an entity or a class, without the white space around it.
    func name(_ name: String) throws(ModelError) -> String? {
      let name = try text(name)?.trimmingCharacters(in: .whitespacesAndNewlines)
      return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    func flag(_ name: String) throws(ModelError) -> Bool? {
      switch try self.name(name) {
      case nil: nil
      case "0": false
      case "1": true
      default: throw badValue(name)
      }
    }

    func integer(_ name: String) throws(ModelError) -> Int? {
      guard let text = try self.name(name) else { return nil }
      guard let number = Int(text) else { throw badValue(name) }
      return number
    }

    /// The bytes that a text is in base64, with white space in it.
    func data(_ name: String) throws(ModelError) -> Data? {
      guard let value = attributes[name] else { return nil }
      let digits = value.utf8.filter { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
      guard !digits.isEmpty else { return nil }
      guard let data = Data(base64Encoded: Data(digits)) else { throw badValue(name) }
      return data
    }

    private func badValue(_ name: String) -> ModelError {
      ModelError(.badValue, entity: id, line: line, name: name)
    }
  }
}
