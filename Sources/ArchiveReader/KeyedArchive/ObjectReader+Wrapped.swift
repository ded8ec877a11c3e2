// Plain values in objects of their own: NSMutableString and its like.
extension ObjectReader {
  /// The value of an entry that is an object of a class of texts, data or numbers, or a reference
  /// to one; nil for anything else.
  ///
  /// - Returns: The value as if it stood bare, and the class records on the way to it.
  func wrappedValue(
    _ uid: Int
  ) throws(ArchiveError) -> (value: Node.Value, records: [Int])? {
    var next = uid
    var wrappers: [KnownClass] = []
    var records: [Int] = []
    for _ in 0..<limits.chain {
      var value = table.value(of: try entry(next))
      if case .dictionary(let keys, let values) = value {
        guard let wrapper = try wrapper(keys, values) else { return nil }
        wrappers.append(wrapper.known)
        records.append(wrapper.record)
        value = table.value(of: wrapper.content)
      }
      switch value {
      case .uid(let uid): next = uid
      case .text(let text) where isNull(text): return nil
      default: return unwrapped(value, wrappers).map { ($0, records) }
      }
    }
    return nil
  }

  /// The content of an object of a class of texts, data or numbers; nil for any other.
  private func wrapper(
    _ keys: Node.Run, _ values: Node.Run
  ) throws(ArchiveError) -> (known: KnownClass, content: Node, record: Int)? {
    guard let record = classRecord(keys, values), let known = try knownClass(ofRecord: record)
    else { return nil }
    switch known {
    case .string, .data, .number: break
    default: return nil
    }
    guard case .single(let position) = form(of: known, keys, values) else { return nil }
    return (known, table[values, position], record)
  }

  /// The class record that an object refers to.
  func classRecord(_ keys: Node.Run, _ values: Node.Run) -> Int? {
    position(of: "$class", keys).flatMap { table.uid(of: table[values, $0]) }
  }

  /// The known class that a class record names.
  func knownClass(ofRecord record: Int) throws(ArchiveError) -> KnownClass? {
    guard let (keys, values) = table.dictionary(at: table.offset(of: try entry(record))),
      let place = position(of: "$classname", keys),
      let name = table.name(at: table[values, place])
    else { return nil }
    return KnownClass(archivedName: name)
  }

  /// The form in which an object holds the value of a class; nil if it has other keys that are not
  /// nil.
  func form(of known: KnownClass, _ keys: Node.Run, _ values: Node.Run) -> ValueForm? {
    let names = (0..<keys.count).map { table.name(at: table[keys, $0]) ?? "" }
    let finder = ValueForm.Finder(shapeKeys: names)
    let form = finder.form(of: known)
    guard case .unfit = form else { return form }
    guard let lenient = finder.lenientForm(of: known),
      lenient.unknownKeys.allSatisfy({ isNull(table[values, $0]) })
    else { return nil }
    return lenient.form
  }

  /// The value that is left when objects around it are taken off, the innermost first.
  private func unwrapped(
    _ value: Node.Value, _ wrappers: [KnownClass]
  ) -> Node.Value? {
    var value = value
    for known in wrappers.reversed() {
      switch (known, value) {
      case (.string, .text), (.data, .data), (.number, .bool), (.number, .integer),
        (.number, .wideInteger), (.number, .real):
        break
      case (.string, .data(let range))
      where unsafe String(validating: table.bytes(range), as: UTF8.self) != nil:
        value = .text(Text(bytes: range, encoding: .utf8))
      default: return nil
      }
    }
    return value
  }
}
