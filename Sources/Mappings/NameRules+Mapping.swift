import ArchiveReader

extension NameRules {
  /// The rules of a run, with what its mapping says where they say nothing.
  package func completed(by mapping: Mapping?) -> NameRules {
    var rules = self
    rules.stripPrefix = stripPrefix ?? mapping?.stripPrefix
    rules.addPrefix = addPrefix ?? mapping?.addPrefix
    rules.isPlain = isPlain || mapping?.plainNames == true
    return rules
  }
}
