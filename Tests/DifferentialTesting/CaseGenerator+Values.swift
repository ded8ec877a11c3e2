extension CaseGenerator {
  /// The kinds of plain values that are drawn.
  enum LeafKind: CaseIterable {
    case bool, integer, wide, real, oddReal, text, wrappedText, data, wrappedData, date, uuid, url
    case wrappedURL, relativeURL, decimal, indexSet, recordID, attributedText, className
  }

  mutating func value(_ kind: LeafKind? = nil) -> Content {
    let kind = kind ?? one(of: LeafKind.allCases)
    token += 1
    return .leaf(leaf(kind), isBoxed: chance(50))
  }

  private mutating func leaf(_ kind: LeafKind) -> Leaf {
    // Now and then values are equal.
    let number = chance(15) ? 7 : token
    let noise: Leaf.Noise = chance(10) ? .extraNil : .none
    switch kind {
    case .bool: return .bool(chance(50))
    case .integer: return .integer(chance(10) ? .min : Int64(number) * 3 - 50)
    case .wide: return .wide(UInt64(Int64.max) + UInt64(number))
    case .real: return .real(Double(number) + (chance(30) ? 0 : 0.1))
    case .oddReal: return .real(one(of: [-0.0, .nan, .infinity, 0, 1e300]))
    case .text: return .text(one(of: ["t\(number)", "t\(number) ä\u{1F600}'\"", "", "NULL", "7"]))
    case .wrappedText: return .wrappedText(chance(10) ? "" : "w\(number)")
    case .data: return .data(chance(10) ? [] : [0, 255, UInt8(truncatingIfNeeded: number)])
    case .wrappedData: return .wrappedData([1, UInt8(truncatingIfNeeded: number)])
    case .date: return .date(eighths: Int64(number) * 1_000_003 - 4_000_000_000, noise)
    case .uuid: return .uuid(UInt64(number), noise)
    case .url: return .url("https://example.org/\(number)", isWrapped: false, noise)
    case .wrappedURL: return .url("file:///w\(number)", isWrapped: true, noise)
    case .relativeURL: return .relativeURL("r\(number)")
    case .decimal: return .decimal(UInt16(truncatingIfNeeded: number))
    case .indexSet: return .indexSet(Int64(number))
    case .recordID: return .recordID("r\(number)", hasZone: chance(50), noise)
    case .attributedText: return .attributedText("a\(number)")
    case .className: return .className(one(of: ["Other", "Note"]))
    }
  }

  /// What stands under a key that is as planned.
  mutating func content(_ key: KeyPlan, _ file: inout ArchivedFile) -> Content {
    if chance(6) { return one(of: [.none, .null]) }
    let known = file
    switch key.pattern {
    case .value: return value(key.leaves[0])
    case .severalKindsOfValue: return value(one(of: key.leaves))
    case .object: return object([key.classes[0]], file)
    case .objectOfSeveralClasses: return object(key.classes, file)
    case .rows: return rows(.array, [key.classes[0]], &file)
    case .rowOrRows:
      return chance(50) ? object(key.classes, file) : rows(anyList(), key.classes, &file)
    case .setOrArray: return rows(anyList(), [key.classes[0]], &file)
    case .valueOrObject:
      return chance(50) ? value(one(of: key.leaves)) : object(key.classes, file)
    case .values:
      return collection(one(of: [.array, anyList()]), &file) { $0.value(key.leaves[0]) }
    case .anyElements:
      return collection(anyList(), &file) { $0.element(key, known) }
    case .dictionary:
      return dictionary(&file, { $0.value(.text) }) { $0.value($0.one(of: key.leaves)) }
    case .dictionaryOfObjects:
      return dictionary(&file, { $0.chance(50) ? $0.value(.text) : $0.object(key.classes, known) })
      {
        $0.chance(80) ? $0.object(key.classes, known) : $0.element(key, known)
      }
    case .nested: return nested(key, 0, &file)
    case .anything: return noiseContent(key, &file)
    }
  }

  /// What stands under a key that is not as planned.
  mutating func noiseContent(_ key: KeyPlan, _ file: inout ArchivedFile) -> Content {
    if chance(15), !file.collections.isEmpty {
      return .collection(number(below: file.collections.count))
    }
    var other = key
    other.pattern = one(of: KeyPattern.allCases)
    if other.pattern == .anything { other.pattern = .value }
    return content(other, &file)
  }

  // MARK: References

  mutating func object(_ classes: [Int], _ file: ArchivedFile) -> Content {
    let names = classes.map { self.classes[$0].name }
    let found = file.objects.indices.filter { names.contains(file.objects[$0].className) }
    return found.isEmpty ? .none : .object(one(of: found))
  }

  private mutating func rows(
    _ kind: ArchivedCollection.Kind, _ classes: [Int], _ file: inout ArchivedFile
  ) -> Content {
    let elements = (0..<number(in: 0...3)).map { _ in object(classes, file) }
    return add(kind, elements.filter { $0 != .none }, &file)
  }

  private mutating func element(_ key: KeyPlan, _ file: ArchivedFile) -> Content {
    if chance(10) { return .null }
    return chance(50) ? value(one(of: key.leaves)) : object(key.classes, file)
  }

  // MARK: Collections

  mutating func anyList() -> ArchivedCollection.Kind {
    one(of: [.array, .mutableArray, .set, .mutableSet, .orderedSet])
  }

  /// Adds a collection; sets have each element once.
  mutating func add(
    _ kind: ArchivedCollection.Kind, _ elements: [Content], _ file: inout ArchivedFile
  ) -> Content {
    file.collections.append(
      ArchivedCollection(
        kind: kind, elements: kind == .array || kind == .mutableArray ? elements : unique(elements))
    )
    return .collection(file.collections.count - 1)
  }

  /// Each content once; by the value, however it is archived.
  private func unique(_ elements: [Content]) -> [Content] {
    var seen: Set<Cell> = []
    var known: Set<Content> = []
    return elements.filter { element in
      if case .leaf(let leaf, _) = element { return seen.insert(leaf.cell).inserted }
      return known.insert(element).inserted
    }
  }

  private mutating func collection(
    _ kind: ArchivedCollection.Kind, _ file: inout ArchivedFile,
    _ element: (inout Self) -> Content
  ) -> Content {
    if chance(10) {
      let elements = (0..<number(in: 0...3)).map { _ in element(&self) }
      return counted(elements, &file)
    }
    let elements = (0..<number(in: 0...4)).map { _ in element(&self) }
    return add(kind, elements, &file)
  }

  private mutating func counted(_ elements: [Content], _ file: inout ArchivedFile) -> Content {
    let keys = unique(elements.filter { !$0.isNothing })
    let counts = keys.map { _ in
      Content.leaf(.integer(Int64(number(in: 1...9))), isBoxed: false)
    }
    file.collections.append(ArchivedCollection(kind: .countedSet, elements: counts, keys: keys))
    return .collection(file.collections.count - 1)
  }

  private mutating func dictionary(
    _ file: inout ArchivedFile, _ key: (inout Self) -> Content, _ value: (inout Self) -> Content
  ) -> Content {
    let keys = unique((0..<number(in: 0...3)).map { _ in key(&self) }.filter { !$0.isNothing })
    let elements = keys.map { _ in value(&self) }
    file.collections.append(
      ArchivedCollection(
        kind: chance(50) ? .dictionary : .mutableDictionary, elements: elements, keys: keys))
    return .collection(file.collections.count - 1)
  }

  private mutating func nested(
    _ key: KeyPlan, _ depth: Int, _ file: inout ArchivedFile
  ) -> Content {
    var elements: [Content] = []
    for _ in 0..<number(in: 0...3) {
      elements.append(
        depth < 2 && chance(60) ? nested(key, depth + 1, &file) : element(key, file))
    }
    if chance(5), !file.collections.isEmpty {
      elements.append(.collection(number(below: file.collections.count)))
    }
    let kind = anyList()
    if chance(25) {
      let keys = unique(elements.map { _ in value(.text) })
      file.collections.append(
        ArchivedCollection(
          kind: .dictionary, elements: Array(elements.prefix(keys.count)), keys: keys))
      return .collection(file.collections.count - 1)
    }
    let number = file.collections.count
    // Some hold themselves.
    if chance(2) { elements.append(.collection(number)) }
    return add(kind, elements, &file)
  }
}
