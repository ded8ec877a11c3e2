import DataModel
import Mappings
import Support

/// The blocks of a mapping file that stand in for policies.
package struct PolicyDeclarations: Sendable {
  /// The path of the mapping file, for messages.
  let path: String
  private let blocks: [PolicyMapping]

  /// Takes the blocks of a mapping file.
  ///
  /// - Parameters:
  ///   - mapping: The mapping; nil for none.
  ///   - path: The path of its file.
  package init(_ mapping: Mapping? = nil, path: String = "") {
    blocks = mapping?.policies ?? []
    self.path = path
  }

  /// The block that stands in for the policy of an entity mapping: one that names the entity
  /// mapping, or else one that is for all.
  func block(for mapping: MigrationEntityMapping) -> PolicyMapping? {
    guard let className = mapping.policyClassName else { return nil }
    let found = blocks.filter { $0.isFor(className) }
    return found.first { $0.entityMapping?.value == mapping.name }
      ?? found.first { $0.entityMapping == nil }
  }

  /// Refuses blocks that nothing asks for, or that a policy in Swift contends with.
  ///
  /// - Parameters:
  ///   - models: The mapping models of all steps.
  ///   - registered: The names of the policies in Swift.
  /// - Throws: `MappingError` with all such blocks.
  package func check(
    _ models: [MappingModel], registered: Set<String>
  ) throws(MappingError) {
    let mappings = models.flatMap(\.entityMappings)
    let classNames = mappings.compactMap(\.policyClassName)
    let problems = blocks.compactMap { block -> MappingError.Problem? in
      let name = block.className
      let meant = classNames.filter(block.isFor)
      guard !meant.isEmpty else {
        return MappingError.Problem(
          .unusedPolicy, at: name.mark, name: name.value,
          nearest: NearestName.find(name.value, in: classNames.flatMap { [$0, $0.withoutModule] }))
      }
      if meant.contains(where: { !registered.isDisjoint(with: [$0, $0.withoutModule]) }) {
        return MappingError.Problem(.policyTwice, at: name.mark, name: name.value)
      }
      guard let entityMapping = block.entityMapping else { return nil }
      let users = mappings.filter { $0.policyClassName.map(block.isFor) ?? false }.map(\.name)
      guard !users.contains(entityMapping.value) else { return nil }
      return MappingError.Problem(
        .unusedPolicyMapping, at: entityMapping.mark, name: entityMapping.value,
        expected: name.value, nearest: NearestName.find(entityMapping.value, in: users))
    }
    guard let first = problems.first else { return }
    throw MappingError(path: path, first, Array(problems.dropFirst()))
  }
}

extension PolicyMapping {
  /// Whether it is for a class that a mapping model names.
  fileprivate func isFor(_ name: String) -> Bool {
    className.value == name || className.value == name.withoutModule
  }
}

extension String {
  /// The name of a class without that of its module.
  var withoutModule: String { split(separator: ".").last.map(String.init) ?? self }
}

/// Blocks of a mapping file for policies that are missing, to be filled in.
struct PolicyBlocks {
  private let program: MigrationProgram
  private let missing: [PolicyRequirement]

  init(_ missing: [PolicyRequirement], of program: MigrationProgram) {
    (self.missing, self.program) = (missing, program)
  }

  /// The lines, with what is to be done with them before them.
  var text: String {
    let lines = missing.flatMap { requirement in
      guard requirement.uses.count > 1 else {
        return ["  \(Self.scalar(requirement.className)):"]
          + attributes(of: requirement.uses[0], 4)
      }
      return ["  \(Self.scalar(requirement.className)):"]
        + requirement.uses.flatMap { use in
          ["  - mapping: \(Self.scalar(use.entityMapping))"] + attributes(of: use, 4)
        }
    }
    return
      (["blocks in a mapping file (--mapping) can stand in for policies:", "policies:"] + lines)
      .joined(separator: "\n")
  }

  /// The attributes of which the mapping model says nothing, or what a function of the policy gives.
  private func attributes(of use: PolicyRequirement.Use, _ indentation: Int) -> [String] {
    let margin = String(repeating: " ", count: indentation)
    guard let mapping = program.mappings.first(where: { $0.info.name == use.entityMapping }),
      let destination = mapping.destinationEntity
    else { return ["\(margin)attributes: {}"] }
    let called = Set(use.functions.flatMap(\.properties))
    let lines = program.destination.entities[destination].properties.compactMap { property in
      guard case .attribute(let attribute) = property.content,
        called.contains(property.name) || !mapping.filledProperties.contains(property.name)
      else { return String?.none }
      return "\(margin)  \(Self.scalar(property.name)):\(remark(on: attribute, from: mapping))"
    }
    return lines.isEmpty ? ["\(margin)attributes: {}"] : ["\(margin)attributes:"] + lines
  }

  /// Decisions to be made; nothing for an attribute that is as it was.
  private func remark(on attribute: Attribute, from mapping: PlannedMapping) -> String {
    guard let source = mapping.sourceEntity else { return "  # set 'value'" }
    guard
      let found = program.sourceHierarchy.attribute(attribute.name, of: source, in: program.source)
    else {
      let entity = PrintableText.printable(program.source.entities[source].name)
      return "  # \(entity) has none: set 'from' or 'value'"
    }
    return found.type == attribute.type
      ? "" : "  # was \(found.type.rawValue), is \(attribute.type.rawValue): set 'convert'"
  }

  /// A name as YAML has it.
  private static func scalar(_ name: String) -> String {
    let isPlain =
      name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.]*/) != nil
      && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(name.lowercased())
    guard !isPlain, let line = try? JSONDocument.line(of: name) else { return name }
    return String(line.dropLast())
  }
}
