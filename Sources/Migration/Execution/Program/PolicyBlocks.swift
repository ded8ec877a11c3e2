import DataModel
import Support

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
