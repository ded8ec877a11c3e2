import Support

extension ConversionReport {
  /// The property that an unread key was probably meant for: one without values whose name the key
  /// ends with, or nearly is.
  ///
  /// - Parameter key: The key.
  /// - Returns: The name of the property; nil if none resembles it.
  func likelyProperty(of key: KeyCount) -> String? {
    let names = entities.filter { $0.archivedClasses.contains(key.className) }.flatMap { entity in
      entity.attributes.filter { $0.values == 0 }.map(\.name)
        + entity.relationships.filter { $0.links == 0 }.map(\.name)
    }
    // Short names end others by chance.
    let folded = key.key.lowercased()
    let ends = names.filter { $0.count >= 3 && folded.hasSuffix($0.lowercased()) }
    return ends.max { $0.count < $1.count } ?? NearestName.find(key.key, in: names)
  }
}
