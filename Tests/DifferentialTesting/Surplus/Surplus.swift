import DataModel

/// Something in a store that its model does not ask for, or that is damaged.
struct Surplus: Sendable, CustomStringConvertible {
  enum Kind: String, Sendable, CaseIterable {
    case metadata = "a value of an application's metadata"
    case property = "a property that no model knows"
    case table = "a table that no model knows"
    case foreignColumn = "a value in a column of another entity"
    case unreachable = "an unreachable object"
    case furtherTop = "a further top-level key"
    case outermost = "a key beside the top-level keys"
    case surrogate = "an unpaired surrogate"
    case wrongEntity = "a wrong entity"
    case missingEntity = "a missing entity"
    case danglingLink = "a dangling link"
    case emptyLink = "a link to nothing"
    case doubledLink = "a doubled link"
  }

  var kind: Kind
  /// Tells it from others.
  var number: Int
  /// The entity of the object that has it; empty if it is in no object.
  var entity = ""
  /// The attribute or relationship that has it; empty if it is in none.
  var property = ""

  /// The name of what no model knows.
  var name: String { "own\(number)" }
  /// The value that has to be kept.
  var value: String { "kept\(number)" }

  var description: String {
    "\(kind.rawValue) (\(name)) \([entity, property].filter { !$0.isEmpty }.joined(separator: "."))"
  }

  /// Whether it is in the metadata of a binary store rather than in its data.
  var isInMetadata: Bool { number.isMultiple(of: 2) }

  // MARK: Fates

  /// Whether a store with it may be refused.
  func isDamage(in form: StoreForm, _ content: StoreContent) -> Bool {
    switch kind {
    case .danglingLink, .emptyLink, .doubledLink: true
    // The values of an XML store are elements by name: one that is unknown is not of the model.
    case .property: form == .xml
    case .wrongEntity, .missingEntity: form != .sqlite || !isAlone(content)
    default: false
    }
  }

  /// Whether the entity has a table to itself, so that nothing else can be in it.
  func isAlone(_ content: StoreContent) -> Bool {
    content.root(of: entity) == entity && !content.hasChildren(entity)
  }

  /// Whether it is something that an object or the store says, so that it may be in the result.
  var isValue: Bool {
    switch kind {
    case .metadata, .property, .table, .foreignColumn, .unreachable, .furtherTop, .outermost,
      .surrogate:
      true
    default: false
    }
  }

  /// What a report or an error names it by.
  func names(in form: StoreForm, _ content: StoreContent) -> [String] {
    switch kind {
    case .metadata, .table: [name]
    // Of a binary store, the archive of all objects has it.
    case .property, .furtherTop, .outermost: [name, property].filter { !$0.isEmpty }
    // Nothing leads to it, in the one archive of a binary store.
    case .unreachable where form == .binary: ["unreachable"]
    case .unreachable, .foreignColumn, .surrogate: [property]
    case .wrongEntity, .missingEntity: [name, entity, content.root(of: entity)]
    case .danglingLink, .emptyLink, .doubledLink:
      content.whole(entity).relationships.filter { $0.name == property }
        .flatMap { [$0.name, $0.inverse ?? $0.name] }
    }
  }

  // MARK: Objects

  /// The objects that have it, which nothing else in the store has to do with.
  func hosts(
    _ content: StoreContent, _ form: StoreForm, _ generator: inout StoreContentGenerator
  ) -> [StoredObject] {
    guard !entity.isEmpty else { return [] }
    var host = generator.object(of: content.whole(entity), tag: "host\(number)")
    switch kind {
    case .unreachable, .furtherTop, .outermost, .surrogate:
      host.values[property] = nil
      host.unpredicted = [property]
    case .foreignColumn: break
    case .wrongEntity, .missingEntity: host.mayBeMissing = isDamage(in: form, content)
    case .doubledLink:
      guard let link = content.whole(entity).relationships.first(where: { $0.name == property }),
        let destination = content.concrete(kindOf: link.destinations[0]).first
      else { break }
      let target = generator.object(of: content.whole(destination), tag: "target\(number)")
      return [host, target]
    default: break
    }
    return [host]
  }

  /// Draws where it is; nil if the model or the kind of store has no place for it.
  static func draw(
    _ kind: Kind, number: Int, in content: StoreContent, _ form: StoreForm,
    _ generator: inout StoreContentGenerator
  ) -> Surplus? {
    let sites = sites(of: kind, in: content, form)
    guard !sites.isEmpty else { return nil }
    let site = generator.one(of: sites)
    return Surplus(kind: kind, number: number, entity: site.entity, property: site.property)
  }

  private typealias Site = (entity: String, property: String)

  private static func sites(
    of kind: Kind, in content: StoreContent, _ form: StoreForm
  ) -> [Site] {
    let entities = content.concrete()
    func attributes(_ types: Set<AttributeType>) -> [Site] {
      entities.flatMap { entity in
        content.whole(entity).attributes
          .filter { types.contains($0.type) && $0.name != StoreContent.tag && $0.isOptional }
          .map { (entity, $0.name) }
      }
    }
    switch kind {
    case .metadata: return [("", "")]
    case .table: return form == .sqlite ? [("", "")] : []
    case .property, .wrongEntity: return entities.map { ($0, "") }
    case .missingEntity: return form == .sqlite ? entities.map { ($0, "") } : []
    case .foreignColumn: return form == .sqlite ? foreignColumns(content) : []
    case .unreachable, .furtherTop, .outermost:
      return form == .binary ? [("", "")] : attributes([.transformable])
    case .surrogate:
      return attributes(form == .sqlite ? [.transformable] : [.transformable, .string])
    case .danglingLink, .emptyLink, .doubledLink: return links(kind, content, form)
    }
  }

  private static func foreignColumns(_ content: StoreContent) -> [Site] {
    content.concrete().flatMap { entity in
      content.model.entities.filter {
        content.root(of: $0.name) == content.root(of: entity)
          && !content.isKind(entity, of: $0.name)
      }.flatMap(\.attributes).filter { $0.type == .string }.map { (entity, $0.name) }
    }
  }

  private static func links(_ kind: Kind, _ content: StoreContent, _ form: StoreForm) -> [Site] {
    content.concrete().flatMap { entity in
      content.whole(entity).relationships.filter { relationship in
        let isJoin = relationship.isToMany && content.inverse(of: relationship)?.isToMany == true
        return switch (kind, form) {
        case (.danglingLink, .sqlite): isJoin || !relationship.isToMany
        case (.danglingLink, _): true
        case (.emptyLink, _): form == .sqlite && isJoin
        default:
          (form == .sqlite ? isJoin : relationship.isToMany)
            && !content.concrete(kindOf: relationship.destinations[0]).isEmpty
        }
      }.map { (entity, $0.name) }
    }
  }
}
