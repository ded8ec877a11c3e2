import DataModel
import GraphCore

/// The attributes and relationships of the objects in an XML store.
extension XMLStoreSource.Reader {
  /// The places of the properties of the entity that is read, by their names in any case.
  private mutating func names() -> (attributes: FoldedNames, relationships: FoldedNames) {
    if let known = propertyNames[entity] { return known }
    let found = builder.schema.entities[entity]
    let names = (
      FoldedNames(found.attributes.map(\.name), in: .small),
      FoldedNames(found.relationships.map(\.name), in: .small)
    )
    propertyNames[entity] = names
    return names
  }

  /// The name of a property in errors, with that of its entity.
  private func qualified(_ name: String) -> String {
    "\(builder.schema.entities[entity].name).\(name)"
  }

  /// Notes that a key of the object was met; refuses the second time.
  private mutating func meet(_ key: Int, _ name: String) throws(ArchiveError) -> Bool {
    guard metKeys.insert(key).inserted else {
      try lose(ArchiveError(.repeatedKey, name: name))
      return false
    }
    return true
  }

  // MARK: Attributes

  mutating func startAttribute(_ attributes: [String: String]) throws(ArchiveError) {
    text.removeAll(keepingCapacity: text.capacity <= 1 << 20)
    let name = attributes["name"] ?? ""
    guard let place = try names().attributes.place(of: name) else {
      state = .attribute(.unknown(name))
      return
    }
    state = .attribute(try meet(place, name) ? .known(place) : .repeated)
  }

  mutating func endAttribute(_ attribute: AttributeState) throws(ArchiveError) {
    switch attribute {
    case .repeated: break
    case .unknown(let name):
      // What is not there can be left out.
      guard Self.isBlank(text) else {
        return try lose(ArchiveError(.unknownProperty, name: qualified(name)))
      }
    case .known(let place):
      let property = builder.schema.entities[entity].attributes[place]
      do throws(ArchiveError) {
        let (written, bytes) = (text, builder.bytes)
        let value = try values.value(written, as: property.type, in: bytes)
        builder.set(attribute: place, .plain(value))
      } catch {
        try lose(error)
      }
    }
  }

  // MARK: Relationships

  mutating func startRelationship(_ attributes: [String: String]) throws(ArchiveError) {
    state = .relationship
    let name = attributes["name"] ?? ""
    let words = (attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
    guard let place = try names().relationships.place(of: name) else {
      guard words.isEmpty else {
        return try lose(ArchiveError(.unknownProperty, name: qualified(name)))
      }
      return
    }
    let key = builder.schema.entities[entity].attributes.count + place
    guard try meet(key, name) else { return }
    var references: [Int32] = []
    references.reserveCapacity(words.count)
    for word in words {
      references.append(try builder.reference(to: Self.name(of: String(word))))
    }
    try builder.set(relationship: place, to: references)
  }
}
