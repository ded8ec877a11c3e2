extension AttributeType {
  /// The code of a type in compiled models and in version hashes (`NSAttributeType`).
  ///
  /// The types that only inference gives have none.
  package var coreDataCode: Int32? {
    switch self {
    case .undefined: 0
    case .integer16: 100
    case .integer32: 200
    case .integer: 300
    case .decimal: 400
    case .double: 500
    case .float: 600
    case .string: 700
    case .boolean: 800
    case .date: 900
    case .binary: 1000
    case .uuid: 1100
    case .uri: 1200
    case .transformable: 1800
    case .objectID: 2000
    case .composite: 2100
    case .json, .attributedText, .mixed, .unknown: nil
    }
  }

  /// The type with a code of compiled models.
  init?(coreDataCode code: Int64) {
    guard let type = Self.allCases.first(where: { $0.coreDataCode.map(Int64.init) == code }) else {
      return nil
    }
    self = type
  }

  /// The type by its name in the XML of a model (`attributeType`).
  init?(coreDataName name: String) {
    switch name {
    case "Undefined", "": self = .undefined
    case "Integer 16": self = .integer16
    case "Integer 32": self = .integer32
    case "Integer 64": self = .integer
    case "Decimal": self = .decimal
    case "Double": self = .double
    case "Float": self = .float
    case "String": self = .string
    case "Boolean": self = .boolean
    case "Date": self = .date
    case "Binary": self = .binary
    case "UUID": self = .uuid
    case "URI": self = .uri
    case "Transformable": self = .transformable
    case "ObjectID", "Object ID": self = .objectID
    case "Composite": self = .composite
    default: return nil
    }
  }
}

extension Relationship.DeleteRule {
  /// The code of a rule in models (`NSDeleteRule`).
  package var coreDataCode: Int64 {
    switch self {
    case .noAction: 0
    case .nullify: 1
    case .cascade: 2
    case .deny: 3
    }
  }

  /// The rule with a code of models.
  init?(coreDataCode code: Int64) {
    guard let rule = Self.allCases.first(where: { $0.coreDataCode == code }) else { return nil }
    self = rule
  }
}
