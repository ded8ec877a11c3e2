import Foundation

/// A property that holds one plain value.
public struct Attribute: Sendable, Equatable {
  /// The name of the attribute.
  public var name: String
  /// The archived key.
  public var key: String
  /// The type of all its values.
  public var type: AttributeType
  /// True if the attribute may hold nothing.
  public var isOptional: Bool
  /// True if the attribute is not stored.
  public var isTransient: Bool
  /// The default value.
  public var defaultValue: AttributeDefault?
  /// The least number or date, or the least length of a text, as the model writes it.
  public var minimum: Double?
  /// The greatest number or date, or the greatest length of a text, as the model writes it.
  public var maximum: Double?
  /// A regular expression that a text has to match.
  public var pattern: String?
  /// True if large data may be kept in a file next to the store.
  public var allowsExternalBinaryDataStorage: Bool
  /// True if the value is kept in the persistent history when its row is deleted.
  public var preservesAfterDeletion: Bool
  /// The name of the transformer of a transformable value.
  public var valueTransformerName: String?
  /// True if the value is computed from other properties.
  public var isDerived: Bool
  /// The name by which an earlier version of the model knew the attribute.
  public var renamingIdentifier: String?
  /// A text that the model's author set to tell this version from others.
  public var versionHashModifier: String?
  /// True if -0.0 is among the values, which a column of type REAL would turn into 0.0.
  public var holdsNegativeZero: Bool
  /// The type of its values, where a drafted model has another one for them.
  package var archivedType: AttributeType?
  /// The role of the attribute in a drafted model, if it is no archived key.
  package var draftedPart: DraftedPart?

  /// Creates an attribute; its key is its name unless told otherwise.
  public init(
    name: String, key: String? = nil, type: AttributeType, isOptional: Bool = true,
    isTransient: Bool = false, defaultValue: AttributeDefault? = nil, minimum: Double? = nil,
    maximum: Double? = nil, pattern: String? = nil, allowsExternalBinaryDataStorage: Bool = false,
    preservesAfterDeletion: Bool = false, valueTransformerName: String? = nil,
    isDerived: Bool = false, renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, holdsNegativeZero: Bool = false
  ) {
    self.name = name
    self.key = key ?? name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.preservesAfterDeletion = preservesAfterDeletion
    self.valueTransformerName = valueTransformerName
    self.isDerived = isDerived
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.holdsNegativeZero = holdsNegativeZero
  }
}

extension Attribute {
  /// True if a store has a column for the attribute.
  package var isStored: Bool { !isTransient }

  /// The regular expression that matches whole texts; nil if a pattern is none.
  package static func expression(_ pattern: String) -> NSRegularExpression? {
    // By itself, since "a)|(b" would be well formed in the brackets.
    guard (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
    return try? NSRegularExpression(pattern: "(?:\(pattern))\\z")
  }
}

/// The default value of an attribute.
public enum AttributeDefault: Sendable, Equatable {
  /// True or false.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A real number.
  case double(Double)
  /// An exact decimal number, in its canonical form.
  case decimal(String)
  /// A text, a UUID or a URL.
  case string(String)
  /// Seconds since 2001-01-01 UTC.
  case date(Double)
  /// A value of another kind: in a compiled model any object, in XML a date in words.
  case other
}

/// The types of attributes: those of Core Data, and those that only inference gives.
public enum AttributeType: String, Sendable, CaseIterable {
  /// True or false.
  case boolean
  /// A signed integer of 16 bits.
  case integer16
  /// A signed integer of 32 bits.
  case integer32
  /// A signed integer of 64 bits.
  case integer
  /// A single-precision number.
  case float
  /// A double.
  case double
  /// An exact decimal number.
  case decimal
  /// Text.
  case string
  /// An instant.
  case date
  /// Bytes.
  case binary
  /// A UUID.
  case uuid
  /// A URL.
  case uri
  /// A value that a transformer turns into bytes.
  case transformable
  /// A reference to any object of the store.
  case objectID
  /// Several values under one name.
  case composite
  /// A type that the model leaves open: only for attributes that are not stored.
  case undefined
  /// Inferred: values of Foundation's classes that are no plain values, as JSON text.
  case json
  /// Inferred: texts with attributes, which are kept as JSON beside the text.
  case attributedText
  /// Inferred: values of several types, or integers beyond 64 bits, or NaN among numbers.
  case mixed
  /// Inferred: nothing but nil was found.
  case unknown
}

extension AttributeType {
  /// The type of an attribute that holds values of two types.
  package func common(with other: AttributeType) -> AttributeType {
    switch (self, other) {
    case (.unknown, let type), (let type, .unknown): type
    case (let first, let second) where first == second: first
    case (.boolean, .integer), (.integer, .boolean): .integer
    case (.attributedText, .string), (.string, .attributedText): .attributedText
    default: .mixed
    }
  }

  /// The type of elements of collections that hold the values of an attribute of the type: they
  /// have no room for attributes beside a text, which is JSON there.
  ///
  /// - Parameter withPlainTexts: True if there may be texts without attributes, which are no JSON.
  /// - Returns: The type.
  package func ofElements(withPlainTexts: Bool) -> AttributeType {
    guard self == .attributedText else { return self }
    return withPlainTexts ? .mixed : .json
  }
}

extension Attribute {
  /// True if the attribute holds archives of values that have several types in the relational
  /// layout.
  var isArchivedValue: Bool { type == .transformable && archivedType != nil }
}

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
