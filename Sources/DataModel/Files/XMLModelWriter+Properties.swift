import ArchiveReader

extension XMLModelWriter {
  /// The transformer of values that only inference finds; it needs no code in the app.
  private static let transformer = "NSSecureUnarchiveFromData"

  static func element(_ attribute: Attribute, isIndexed: Bool = false) -> ElementText {
    let type = attribute.type.coreDataName
    let isDate = attribute.type == .date
    let minimum = attribute.minimum.flatMap(text)
    let maximum = attribute.maximum.flatMap(text)
    var element = ElementText("attribute", ["name": attribute.name])
    element.add("optional", if: attribute.isOptional || type == nil)
    element.add("transient", if: attribute.isTransient)
    element.add("indexed", if: isIndexed)
    element.add("attributeType", type ?? "Transformable")
    element.add("minValueString", isDate ? nil : minimum)
    element.add("maxValueString", isDate ? nil : maximum)
    element.add("minDateTimeInterval", isDate ? minimum : nil)
    element.add("maxDateTimeInterval", isDate ? maximum : nil)
    element.add("regularExpressionString", attribute.pattern)
    switch attribute.defaultValue {
    case .date(let seconds)?: element.add("defaultDateTimeInterval", text(seconds))
    case let value?: element.add("defaultValueString", text(value, of: attribute.type))
    case nil: break
    }
    element.add("usesScalarValueType", usesScalar(attribute))
    element.add(
      "valueTransformerName",
      attribute.valueTransformerName
        ?? (type == nil || attribute.isArchivedValue ? transformer : nil))
    element.add(
      "allowsExternalBinaryDataStorage", if: attribute.allowsExternalBinaryDataStorage)
    element.add("preserveAfterDeletion", if: attribute.preservesAfterDeletion)
    element.add("derived", if: attribute.isDerived)
    element.add("elementID", attribute.renamingIdentifier)
    element.add("versionHashModifier", attribute.versionHashModifier)
    var userInfo: [(key: String, value: String)] = []
    userInfo.append(archivedKey: attribute.key, of: attribute.name)
    if type == nil, attribute.archivedType == nil {
      userInfo.append((DraftedPart.Key.type, attribute.type.rawValue))
    }
    userInfo += attribute.draftedUserInfo
    if attribute.holdsNegativeZero { userInfo.append(("keepNegativeZero", "YES")) }
    element.addUserInfo(userInfo)
    return element
  }

  static func element(
    _ relationship: Relationship, to destination: String, inverse: String?
  ) -> ElementText {
    let minimum = relationship.minimumCount
    let maximum = relationship.maximumCount
    var element = ElementText("relationship", ["name": relationship.name])
    element.add("optional", if: relationship.isOptional)
    element.add("transient", if: relationship.isTransient)
    element.add("toMany", if: relationship.isToMany)
    element.add("minCount", minimum > 0 ? "\(minimum)" : nil)
    // Where nothing stands, a to-one relationship has one row and a to-many one has no limit.
    element.add("maxCount", maximum >= (relationship.isToMany ? 1 : 0) ? "\(maximum)" : nil)
    element.add("deletionRule", relationship.deleteRule.coreDataName)
    element.add("ordered", if: relationship.isOrdered)
    element.add("destinationEntity", destination)
    element.add("inverseName", inverse)
    element.add("inverseEntity", inverse == nil ? nil : destination)
    element.add("elementID", relationship.renamingIdentifier)
    element.add("versionHashModifier", relationship.versionHashModifier)
    var userInfo: [(key: String, value: String)] = []
    userInfo.append(archivedKey: relationship.key, of: relationship.name)
    userInfo += relationship.draftedUserInfo
    if relationship.distinguishesEmpty { userInfo.append(("keepCount", "YES")) }
    element.addUserInfo(userInfo)
    return element
  }

  static func element(_ collection: ValueCollection) -> ElementText {
    let isKeyed = collection.keyType != nil || collection.hasReferencesAsKeys
    var element = ElementText(
      "attribute",
      [
        "name": collection.name, "optional": "YES", "attributeType": "Transformable",
        "valueTransformerName": transformer,
        "customClassName": isKeyed ? "NSDictionary" : collection.isOrdered ? "NSArray" : "NSSet",
      ])
    let key = ArchivedName.plain(collection.key)
    if key != collection.name, !key.isEmpty {
      element.add("elementID", key)
    }
    var userInfo: [(key: String, value: String)] = []
    userInfo.append(archivedKey: collection.key, of: collection.name)
    userInfo.append(("collection", collection.words))
    if collection.distinguishesEmpty { userInfo.append(("keepCount", "YES")) }
    if collection.holdsNegativeZero { userInfo.append(("keepNegativeZero", "YES")) }
    element.addUserInfo(userInfo)
    return element
  }

  // MARK: Values

  /// `YES` if Swift sees a plain number: only where it need not say that there is none.
  private static func usesScalar(_ attribute: Attribute) -> String? {
    switch attribute.type {
    case .boolean, .integer16, .integer32, .integer, .float, .double:
      attribute.isOptional ? "NO" : "YES"
    case .date, .uuid: "NO"
    default: nil
    }
  }

  private static func text(_ value: AttributeDefault, of type: AttributeType) -> String? {
    switch value {
    case .boolean(let flag): flag ? "YES" : "NO"
    case .integer(let number): "\(number)"
    case .double(let number):
      // A Float in its own shortest form: 0.1, not 0.10000000149011612.
      !number.isFinite
        ? nil : type == .float && Double(Float(number)) == number ? "\(Float(number))" : "\(number)"
    case .decimal(let text), .string(let text): text
    case .date(let seconds): text(seconds)
    case .other: nil
    }
  }

  /// A number without a fraction where it has none.
  private static func text(_ number: Double) -> String? {
    guard number.isFinite else { return nil }
    guard abs(number) < 1e15, let integer = Int64(exactly: number) else { return "\(number)" }
    return "\(integer)"
  }
}

extension [(key: String, value: String)] {
  /// Adds the archived key of a property, if it is not its name.
  fileprivate mutating func append(archivedKey key: String, of name: String) {
    let key = ArchivedName.plain(key)
    if key != name { append(("archivedKey", key)) }
  }
}

extension XMLModelWriter.ElementText {
  /// Adds the entries of the user info, if there are any.
  mutating func addUserInfo(_ entries: [(key: String, value: String)]) {
    guard !entries.isEmpty else { return }
    var info = XMLModelWriter.ElementText("userInfo")
    info.children = entries.map {
      XMLModelWriter.ElementText("entry", ["key": $0.key, "value": $0.value])
    }
    children.append(info)
  }
}

extension Relationship {
  /// The kind and the destinations of the relationship, in words, for the user info.
  var words: String {
    let kind = isToMany ? (isOrdered ? "ordered to-many" : "to-many") : "to-one"
    return "\(kind), to \(destinations.joined(separator: ", "))"
  }
}

extension Relationship.DeleteRule {
  fileprivate var coreDataName: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }
}

extension ValueCollection {
  /// The kind of its elements, in words, for the user info.
  fileprivate var words: String {
    func words(_ type: AttributeType?, _ hasReferences: Bool) -> String {
      [type?.rawValue, hasReferences ? "references" : nil].compactMap { $0 }
        .joined(separator: " or ")
    }
    let values = words(valueType, hasReferencesAsValues)
    guard keyType != nil || hasReferencesAsKeys else {
      return "\(isOrdered ? "ordered" : "unordered"): \(values)"
    }
    return "\(words(keyType, hasReferencesAsKeys)) to \(values)"
  }
}

extension AttributeType {
  /// The name of a type in the XML of a model; nil for those that only inference gives.
  fileprivate var coreDataName: String? {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binary: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "ObjectID"
    case .composite: "Composite"
    case .json, .attributedText, .mixed, .unknown: nil
    }
  }
}

extension XMLModelWriter {
  /// An element of XML that is to be written: attributes and elements inside, no text.
  struct ElementText {
    private let name: String
    private var attributes: [(name: String, value: String)] = []
    /// The elements inside.
    var children: [ElementText] = []

    init(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:]) {
      self.name = name
      for (name, value) in attributes { add(name, value) }
    }

    /// Adds an attribute after the others; one without a value is left out.
    mutating func add(_ name: String, _ value: String?) {
      guard let value else { return }
      attributes.append((name, value))
    }

    /// Adds an attribute that says "YES", if it is to say so.
    mutating func add(_ name: String, if flag: Bool) {
      if flag { add(name, "YES") }
    }

    /// The element as lines of text, indented as Xcode does it.
    func text(indentation: Int = 0) -> String {
      let margin = String(repeating: "    ", count: indentation)
      let start = attributes.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }.joined()
      guard !children.isEmpty else { return "\(margin)<\(name)\(start)/>\n" }
      let inside = children.map { $0.text(indentation: indentation + 1) }.joined()
      return "\(margin)<\(name)\(start)>\n\(inside)\(margin)</\(name)>\n"
    }

    /// The text as it stands between quotes; characters that XML does not have become U+FFFD.
    private static func escaped(_ text: String) -> String {
      var escaped = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        switch scalar {
        case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
        case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
        case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
        case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
        // A reader turns bare ones into spaces.
        case "\t", "\n", "\r": escaped.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
        case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": escaped.append("\u{FFFD}")
        default: escaped.append(scalar)
        }
      }
      return String(escaped)
    }
  }
}
