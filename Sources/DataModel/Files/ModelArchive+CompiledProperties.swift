import ArchiveReader

/// Descriptions of properties.
///
/// What is the same for all is in keys of its own; older compilers wrote part of it only as bits
/// of `_P`.
extension ModelArchive {
  /// The attribute that an `NSAttributeDescription` describes.
  mutating func attribute(
    _ object: GraphObject, _ key: String
  ) throws(ModelError) -> Attribute {
    let name = try text(of: object, "NSPropertyName") ?? key
    let code = try integer(of: object, "NSAttributeType") ?? 0
    guard let type = AttributeType(coreDataCode: code) else {
      throw ModelError(.unknownAttributeType, property: name, name: "\(code)")
    }
    let flags = try integer(of: object, "NSFlagsKey") ?? 0
    let rules = try valueRules(of: object)
    return Attribute(
      name: name, type: type, isOptional: try isOptional(object),
      isTransient: try isTransient(object),
      defaultValue: try defaultValue(try value(of: object, "NSDefaultValue"), of: type),
      minimum: rules.minimum, maximum: rules.maximum, pattern: rules.pattern,
      allowsExternalBinaryDataStorage: flags & PropertyBits.Attribute.externalStorage != 0,
      preservesAfterDeletion: flags & PropertyBits.Attribute.preservedAfterDeletion != 0,
      valueTransformerName: try text(of: object, "NSValueTransformerName"),
      isDerived: isA("NSDerivedAttributeDescription", object),
      renamingIdentifier: try renamingIdentifier(of: object, name),
      versionHashModifier: try text(of: object, "NSVersionHashModifier"))
  }

  /// The relationship that an `NSRelationshipDescription` describes.
  ///
  /// It is to-one if at most one row is allowed; models that a program built say -1 where there is
  /// no limit, which enters the version hash.
  mutating func relationship(
    _ object: GraphObject, _ key: String
  ) throws(ModelError) -> Relationship {
    let name = try text(of: object, "NSPropertyName") ?? key
    let maximum = try count(of: object, "NSMaxCount", name)
    let rule = try integer(of: object, "NSDeleteRule") ?? 0
    guard let rule = Relationship.DeleteRule(coreDataCode: rule) else {
      throw ModelError(.unknownDeleteRule, property: name, name: "\(rule)")
    }
    let destination = try self.name(
      of: object, "_NSDestinationEntityName", "NSDestinationEntity", "NSEntityName")
    return Relationship(
      name: name, destinations: destination.map { [$0] } ?? [], isToMany: maximum != 1,
      isOrdered: try flag(of: object, "NSIsOrdered") ?? false,
      inverse: try self.name(
        of: object, "_NSInverseRelationshipName", "NSInverseRelationship", "NSPropertyName"),
      isOptional: try isOptional(object), isTransient: try isTransient(object),
      minimumCount: try count(of: object, "NSMinCount", name), maximumCount: maximum,
      deleteRule: rule, renamingIdentifier: try renamingIdentifier(of: object, name),
      versionHashModifier: try text(of: object, "NSVersionHashModifier"))
  }

  /// The texts of the user info of an entity or a property.
  mutating func userInfo(
    of object: GraphObject
  ) throws(ModelError) -> [(key: String, text: String)] {
    guard has("NSUserInfo", object) else { return [] }
    var texts: [(key: String, text: String)] = []
    for (key, value) in try pairs(of: try value(of: object, "NSUserInfo")) {
      if let text = try text(value) { texts.append((key, text)) }
    }
    return texts
  }

  /// A compiled model always has an identifier: where the author set none, it is the name.
  mutating func renamingIdentifier(
    of object: GraphObject, _ name: String
  ) throws(ModelError) -> String? {
    let identifier = try text(of: object, "NSRenamingIdentifier")
    return identifier == name ? nil : identifier
  }

  // MARK: Values

  private mutating func isOptional(_ object: GraphObject) throws(ModelError) -> Bool {
    if let flag = try flag(of: object, "NSIsOptional") { return flag }
    return try (integer(of: object, "_P") ?? 0) & PropertyBits.Common.optional != 0
  }

  private mutating func isTransient(_ object: GraphObject) throws(ModelError) -> Bool {
    if let flag = try flag(of: object, "NSIsTransient") { return flag }
    return try (integer(of: object, "_P") ?? 0) & PropertyBits.Common.transient != 0
  }

  private mutating func count(
    of object: GraphObject, _ key: String, _ name: String
  ) throws(ModelError) -> Int {
    guard let count = Int32(exactly: try integer(of: object, key) ?? 0), count >= -1 else {
      throw ModelError(.badValue, property: name, name: key)
    }
    return Int(count)
  }

  /// A name that stands under a key of its own, or in the object that another key leads to.
  private mutating func name(
    of object: GraphObject, _ nameKey: String, _ objectKey: String, _ key: String
  ) throws(ModelError) -> String? {
    if let name = try text(of: object, nameKey) { return name }
    guard let other = try self.object(try value(of: object, objectKey)) else { return nil }
    return try text(of: other, key)
  }

  /// The default value of an attribute, which may be written as another kind of number.
  private mutating func defaultValue(
    _ value: GraphValue, of type: AttributeType
  ) throws(ModelError) -> AttributeDefault? {
    switch value {
    case .null, .nsNull: return nil
    default: break
    }
    switch type {
    case .boolean: return integer(value).map { .boolean($0 != 0) } ?? .other
    case .integer16, .integer32, .integer: return integer(value).map { .integer($0) } ?? .other
    case .double: return number(value).map { .double($0) } ?? .other
    case .float: return number(value).map { .double(Attribute.ValueText.single($0)) } ?? .other
    case .decimal: return decimal(value).map { .decimal($0) } ?? .other
    case .date:
      if case .date(let seconds) = value { return .date(seconds) }
      return .other
    case .string, .uuid, .uri: return try canonicalText(value).map { .string($0) } ?? .other
    default: return .other
    }
  }

  private func integer(_ value: GraphValue) -> Int64? {
    switch value {
    case .bool(let flag): flag ? 1 : 0
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    case .decimal(let number): Attribute.ValueText.integer(number.text)
    default: nil
    }
  }

  private func number(_ value: GraphValue) -> Double? {
    switch value {
    case .bool(let flag): flag ? 1 : 0
    case .integer(let number): Double(number)
    case .real(let number): number
    case .decimal(let number): Attribute.ValueText.number(number.text)
    default: nil
    }
  }

  private func decimal(_ value: GraphValue) -> String? {
    switch value {
    case .decimal(let number): number.text
    case .integer(let number): "\(number)"
    case .real(let number): Attribute.ValueText.decimal("\(number)")
    default: nil
    }
  }
}

/// The rules of a compiled model for the values of an attribute: the compiler turns the least and
/// the greatest value, lengths and patterns into predicates, one for each.
///
/// They compare `SELF` or `length` with a constant. Predicates of another form, which only programs
/// add to a model, are left out: they have no words in a model that Xcode edits.
extension ModelArchive {
  /// The rules of an attribute.
  struct ValueRules {
    var minimum: Double?
    var maximum: Double?
    var pattern: String?
  }

  /// `NSPredicateOperatorType`.
  private enum Comparison {
    static let lessThanOrEqual: Int64 = 1
    static let greaterThanOrEqual: Int64 = 3
    static let matches: Int64 = 6
  }

  /// The rules in an attribute's `NSValidationPredicates`.
  mutating func valueRules(of object: GraphObject) throws(ModelError) -> ValueRules {
    var rules = ValueRules()
    for value in try list(try value(of: object, "NSValidationPredicates")) {
      guard let predicate = try self.object(value), isA("NSComparisonPredicate", predicate),
        let left = try self.object(try self.value(of: predicate, "NSLeftExpression")),
        let right = try self.object(try self.value(of: predicate, "NSRightExpression")),
        let comparison = try self.object(try self.value(of: predicate, "NSPredicateOperator")),
        isA("NSConstantValueExpression", right)
      else { continue }
      let constant = try self.value(of: right, "NSConstantValue")
      let isLength = try keyPath(of: left) == "length"
      guard isLength || isA("NSSelfExpression", left) else { continue }
      switch try integer(of: comparison, "NSOperatorType") {
      case Comparison.greaterThanOrEqual: rules.minimum = limit(constant)
      case Comparison.lessThanOrEqual: rules.maximum = limit(constant)
      case Comparison.matches where !isLength: rules.pattern = try text(constant)
      default: continue
      }
    }
    return rules
  }

  /// The key path that an expression reads: directly, or by `valueForKeyPath:`.
  private mutating func keyPath(of expression: GraphObject) throws(ModelError) -> String? {
    if let path = try text(of: expression, "NSKeyPath") { return path }
    for argument in try list(try value(of: expression, "NSArguments")) {
      guard let specifier = try object(argument) else { continue }
      if let path = try text(of: specifier, "NSKeyPath") { return path }
      if let path = try text(of: specifier, "NSConstantValue") { return path }
    }
    return nil
  }

  /// A number, or a date as seconds since 2001.
  private func limit(_ value: GraphValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number) where number.isFinite: number
    case .date(let seconds) where seconds.isFinite: seconds
    case .decimal(let decimal): Double(decimal.text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }
}
