import ArchiveWriter

extension XMLStoreDraft {
  /// Adds what the model does not ask for.
  ///
  /// - Parameters:
  ///   - surplus: It.
  ///   - hosts: The objects that have it.
  mutating func add(_ surplus: Surplus, _ hosts: [Int]) {
    let host = hosts.first ?? 0
    switch surplus.kind {
    case .metadata: metadata.append((surplus.name, surplus.value))
    case .property: objects[host].attributes.append((surplus.name, "string", surplus.value))
    case .unreachable, .furtherTop, .outermost:
      objects[host].attributes.append(
        (surplus.property, "transformable", surplus.transformable.base64EncodedString()))
    case .surrogate:
      let type = content.whole(surplus.entity).attributes.first { $0.name == surplus.property }?
        .type
      objects[host].attributes.append(
        type == .transformable
          ? (surplus.property, "transformable", surplus.transformable.base64EncodedString())
          // Its bytes are the other way round in such stores.
          : (surplus.property, "string", "\(surplus.value)\\u00d8"))
    case .wrongEntity: objects[host].type = surplus.name.uppercased()
    case .danglingLink: setLink(surplus, of: host, to: ["z9999"])
    case .doubledLink:
      guard hosts.count == 2 else { break }
      setLink(surplus, of: host, to: [Self.id(hosts[1]), Self.id(hosts[1])])
    case .table, .foreignColumn, .missingEntity, .emptyLink: break
    }
  }

  private mutating func setLink(_ surplus: Surplus, of host: Int, to ids: [String]) {
    for place in objects[host].relationships.indices
    where objects[host].relationships[place].name == surplus.property {
      objects[host].relationships[place].ids = ids
    }
  }
}

extension BinaryStoreDraft {
  /// Adds what the model does not ask for.
  ///
  /// - Parameters:
  ///   - surplus: It.
  ///   - hosts: The objects that have it.
  mutating func add(_ surplus: Surplus, _ hosts: [Int]) {
    let host = hosts.first ?? 0
    switch surplus.kind {
    case .metadata: metadata.append(KeyValue(surplus.name, .string(surplus.value)))
    case .property:
      nodes[host].surplus.append(KeyValue(surplus.name, archive.string(surplus.value)))
    // Each of the two archives has some of these.
    case .furtherTop where surplus.isInMetadata:
      listArchive.setTop(surplus.name, listArchive.string(surplus.value))
    case .furtherTop: archive.setTop(surplus.name, archive.string(surplus.value))
    case .outermost where surplus.isInMetadata:
      listOutermost.append(KeyValue(surplus.name, .string(surplus.value)))
    case .outermost: outermost.append(KeyValue(surplus.name, .string(surplus.value)))
    case .unreachable where surplus.isInMetadata: _ = listArchive.string(surplus.value)
    case .surrogate:
      guard let place = place(of: surplus.property, in: surplus.entity) else { break }
      nodes[host].row[place] = archive.add(surplus.halfText)
    case .wrongEntity: nodes[host].entity = surplus.name
    case .danglingLink: nodes[host].related.append((surplus.property, [9_999]))
    case .doubledLink:
      guard hosts.count == 2 else { break }
      nodes[host].related.removeAll { $0.name == surplus.property }
      nodes[host].related.append(
        (surplus.property, [Self.key(hosts[1]), Self.key(hosts[1])]))
    case .unreachable: _ = archive.string(surplus.value)
    case .table, .foreignColumn, .missingEntity, .emptyLink: break
    }
  }
}
