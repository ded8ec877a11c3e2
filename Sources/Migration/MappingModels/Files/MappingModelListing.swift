import GraphCore
import Mappings
import Support

/// The whole of a mapping model as text, for people.
///
/// Each entity mapping is a block: its name, entities and kind, then what it fetches, its policy,
/// and a line for each property with its expression in NSPredicate's format.
package enum MappingModelListing {
  /// The listing of a mapping model.
  package static func text(of model: MappingModel) -> String {
    model.entityMappings.enumerated().map { index, mapping in
      PrintableText.lines(lines(of: mapping, number: index + 1)) + "\n"
    }.joined(separator: "\n")
  }

  /// The listing of a source file: its models, what it compiles to, and its leftovers.
  ///
  /// - Parameters:
  ///   - document: The file.
  ///   - model: What it compiles to.
  /// - Returns: The text.
  package static func text(of document: MappingModelDocument, compiled model: MappingModel)
    -> String
  {
    var blocks: [String] = []
    let paths = [("from", document.sourceModelPath), ("to", document.destinationModelPath)]
    let header = paths.compactMap { word, path in
      path.map { "\(word) \(PrintableText.printable($0))\n" }
    }.joined()
    if !header.isEmpty { blocks.append(header) }
    if !model.entityMappings.isEmpty { blocks.append(text(of: model)) }
    let leftovers = document.leftovers
    let unused =
      leftovers.entityMappings.map { "  entity mapping \(PrintableText.printable("\($0)"))\n" }
      + leftovers.attributeMappings.map {
        "  attribute mapping \(PrintableText.printable("\($0)"))\n"
      }
      + leftovers.relationshipMappings.map {
        "  relationship mapping \(PrintableText.printable("\($0)"))\n"
      }
    if !unused.isEmpty { blocks.append("not used\n" + unused.joined()) }
    return blocks.joined(separator: "\n")
  }

  private static func lines(of mapping: MigrationEntityMapping, number: Int) -> [String] {
    let entities =
      switch (mapping.sourceEntityName, mapping.destinationEntityName) {
      case (let source?, let destination?): "\(source) to \(destination)"
      case (let source?, nil): "\(source) to nothing"
      case (nil, let destination?): "new \(destination)"
      case (nil, nil): "no entity"
      }
    var lines = ["\(number). \(mapping.name): \(entities) (\(mapping.kind.word))"]
    if let source = mapping.sourceExpression { lines.append("  source: \(source.format)") }
    if let policy = mapping.policyClassName { lines.append("  policy: \(policy)") }
    lines += userInfo(mapping.userInfo, indentation: "  ")
    lines += properties(mapping.attributeMappings, "attributes", none: "default value")
    lines += properties(mapping.relationshipMappings, "relationships", none: "nothing")
    return lines
  }

  private static func properties(
    _ mappings: [MigrationPropertyMapping], _ title: String, none: String
  ) -> [String] {
    guard !mappings.isEmpty else { return [] }
    var lines = ["  \(title):"]
    for mapping in mappings {
      lines.append("    \(mapping.name): \(mapping.valueExpression?.format ?? none)")
      lines += userInfo(mapping.userInfo, indentation: "      ")
    }
    return lines
  }

  private static func userInfo(
    _ values: [String: UnarchivedValue], indentation: String
  ) -> [String] {
    values.sorted { $0.key.precedesInBytes($1.key) }.map { key, value in
      "\(indentation)user info: \(key) = \(ExpressionNode(constant: value).format)"
    }
  }
}

extension MigrationEntityMapping.Kind {
  /// The kind in a word.
  package var word: String {
    switch self {
    case .undefined: "undefined"
    case .custom: "custom"
    case .add: "add"
    case .remove: "remove"
    case .copy: "copy"
    case .transform: "transform"
    }
  }
}
