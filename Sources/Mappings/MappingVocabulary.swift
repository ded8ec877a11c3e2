import DataModel

/// The keys and words of mapping files.
package enum MappingVocabulary {}

extension MappingVocabulary {
  /// A kind of block in mapping files, with the keys that it can have.
  package struct Block: Sendable, Hashable {
    /// The name of its definition in Documentation/mapping.schema.json.
    package let name: String
    /// The name in messages.
    package let noun: String
    /// Its keys.
    package let keys: [String]

    private init(_ name: String, _ noun: String, _ keys: String...) {
      self.name = name
      self.noun = noun
      self.keys = keys
    }

    static let mapping = Block(
      "mapping", "a mapping", "model", "modelDigest", "stripPrefix", "addPrefix", "plainNames",
      "seeThrough", "records", "pairs", "foreignKeys", "newestBy", "classes", "entities", "passes",
      "policies",
      "views")
    static let view = Block("view", "a view", "query", "optional", "report")
    static let classMapping = Block(
      "class", "a class", "value", "ignore", "class", "fields",
      "lists")
    static let pass = Block("pass", "a pass", "name", "entities")
    static let entity = Block(
      "entity", "an entity", "name", "from", "parent", "abstract", "where", "identity", "policy",
      "complete", "keepValues", "attributes", "relationships", "collections", "unread")
    static let attribute = Block(
      "attribute", "an attribute", "from", "value", "expression", "convert", "type", "optional",
      "default", "minimum", "maximum", "pattern", "keepNegativeZero")
    static let relationship = Block(
      "relationship", "a relationship", "from", "expression", "to", "into", "by", "split", "trim",
      "fold", "mapping", "toMany", "ordered", "inverse", "deleteRule", "optional", "minimum",
      "maximum", "keepCount")
    static let collection = Block(
      "collection", "a collection", "from", "ordered", "keys", "keyReferences", "values",
      "valueReferences", "keepNegativeZero", "keepCount")

    static let policy = Block(
      "policy", "a policy", "mapping", "attributes", "relationships")
    static let policyAttribute = Block(
      "policyAttribute", "an attribute of a policy", "from", "value", "convert", "default")
    static let policyRelationship = Block(
      "policyRelationship", "a relationship of a policy", "from", "into", "by", "split", "trim",
      "fold")

    static let decimal = Block(
      "decimal", "the conversion 'decimal'", "scale", "rounding", "notFinite")
    static let decimalText = Block(
      "decimalText", "the conversion 'decimalText'", "scale", "rounding", "decimalSeparator")
    static let number = Block(
      "number", "the conversion 'number'", "type", "decimalSeparator", "groupingSeparator")
    static let dateText = Block(
      "dateText", "the conversion 'dateText'", "pattern", "dateStyle", "timeStyle", "locale",
      "timeZone")
    static let dateNumber = Block("dateNumber", "the conversion 'dateNumber'", "since")
    static let date = Block(
      "date", "the conversion 'date'", "since", "unit", "zero", "pattern", "dateStyle", "timeStyle",
      "locale",
      "timeZone")

    /// All kinds of block.
    package static let all = [
      mapping, view, classMapping, pass, entity, attribute, relationship, collection, policy,
      policyAttribute, policyRelationship, decimal, decimalText, number, dateText, dateNumber, date,
    ]
  }
}

extension MappingVocabulary {
  /// A kind of word in mapping files, with the words that there are.
  package struct Words: Sendable, Hashable {
    /// The name of its definition in Documentation/mapping.schema.json.
    package let name: String
    /// The words.
    package let words: [String]

    private init(_ name: String, _ words: [String]) {
      self.name = name
      self.words = words
    }

    private init<List: CaseIterable & RawRepresentable<String>>(_ name: String, _: List.Type) {
      self.init(name, List.allCases.map(\.rawValue))
    }

    static let attributeType = Words(
      "attributeType", AttributeType.allCases.map(\.rawValue) + ["integer64"])
    static let deleteRule = Words("deleteRule", Relationship.DeleteRule.self)
    static let folding = Words("folding", RelationshipMapping.Folding.self)
    static let rounding = Words("rounding", ValueConversion.Rounding.self)
    static let fallback = Words("fallback", ValueConversion.Fallback.self)
    static let dateStyle = Words("dateStyle", ValueConversion.DateStyle.self)
    static let dateUnit = Words("dateUnit", ValueConversion.DateUnit.self)
    static let numberKind = Words("numberKind", ValueConversion.NumberKind.self)
    /// Conversions that can stand as a bare word.
    static let bareConversion = Words(
      "bareConversion",
      ["decimal", "number", "dateText", "date"] + ValueConversion.Rule.plain.keys.sorted())
    /// All conversions: the keys of a step.
    package static let conversion = Words(
      "conversion", bareConversion.words + ["decimalText", "dateNumber", "enum"])

    /// All kinds of word, except for `conversion`, which are keys too.
    package static let all = [
      attributeType, deleteRule, folding, rounding, fallback, dateStyle, dateUnit, numberKind,
      bareConversion,
    ]
  }
}
