extension PropertyList {
  /// Reads a compiled nib into the table that a keyed archive of the same objects would have.
  ///
  /// UINibEncoder is a keyed archiver with an envelope of its own (`NibBytes`). `$objects` gets the
  /// nib's objects under their own numbers, the class records after them, and the entry for nil at
  /// the end if a value is nil; `$top` gets the values of object 0. Nothing above tells the two
  /// archivers apart, since
  /// their differences end here:
  /// - elements that stand in a collection itself go to `NS.objects` and `NS.keys`;
  /// - the UTF-8 of a text goes to `NS.string`, and stays in the file;
  /// - values without a key get the keys `$0`, `$1` and so on, and keys that begin with a `$` one
  ///   more;
  /// - a class, whose superclasses no nib tells, is its own hierarchy.
  struct NibReader: ~Copyable {
    private struct Class {
      /// The kind of the collections that its objects are.
      var collection: CollectionKind?
      /// True if its objects hold a text under `NS.bytes`.
      var isText: Bool
    }

    private struct Key {
      var node: UInt32
      var role: Role

      enum Role { case plain, inlined, unkeyed, bytes }
    }

    private struct Value {
      /// The object that it belongs to; nil if it has not been met yet.
      var owner: UInt32?
      var key: UInt32 = 0
      var node: UInt32 = 0
    }

    private var bytes: NibBytes
    private var builder: NodeTable.Builder
    private var classes: [Class] = []
    private var objects: [(class: Int, values: Range<Int>)] = []
    private var keys: [Key] = []
    private var values: [Value] = []
    /// The nodes of class records.
    private var records: [UInt32] = []
    /// True once a value is nil.
    private var usesNull = false
    /// The number of bytes after the last class.
    private var surplus = 0

    /// Reads a nib.
    ///
    /// - Parameters:
    ///   - file: Its bytes.
    ///   - limits: The limits of the reader.
    /// - Returns: The table, whose top is the frame of a keyed archive.
    /// - Throws: `ArchiveError` if it is damaged.
    static func read(
      _ file: ByteStorage, limits: ReadingLimits
    ) throws(ArchiveError) -> Assembler.Result {
      var reader = NibReader(
        bytes: try NibBytes(file.borrowed), builder: try NodeTable.Builder(limits: limits))
      // A value is read by the class of the object that it belongs to.
      try reader.readClasses()
      try reader.readObjects()
      try reader.readKeys()
      try reader.readValues()
      let top = try reader.addFrame()
      let (storage, table) = try reader.builder.finish(file.borrowed)
      return Assembler.Result(
        storage: storage, table: table, top: Node(index: Int(top)), controlCharacters: 0,
        readsFile: true)
    }

    private init(bytes: NibBytes, builder: consuming NodeTable.Builder) {
      self.bytes = bytes
      self.builder = builder
    }

    // MARK: Sections

    private mutating func readClasses() throws(ArchiveError) {
      let count = bytes.begin(.classes)
      var names: [UInt32] = []
      var fallbacks: [(index: Int, of: Int)] = []
      for id in 0..<count {
        let start = bytes.offset
        let (size, fallbackCount) = (try bytes.readCount(), try bytes.readCount())
        for _ in 0..<fallbackCount {
          let index = Int(try bytes.readNumber(4))
          guard index < count else {
            throw bytes.damage("a class falls back on one that does not exist", at: start)
          }
          fallbacks.append((index, id))
        }
        let (text, place) = try bytes.readBytes(size)
        guard text.last == 0 else { throw bytes.damage("a class has no name", at: start) }
        let (name, string) = try checked(text.part(0..<size - 1), at: place)
        let known = KnownClass(archivedName: string)
        classes.append(
          Class(
            // A counted set has keys of its own.
            collection: known == .countedSet ? nil : known?.collectionKind,
            isText: known == .string || string == "NSLocalizableString"))
        names.append(try builder.add(text: name, inFileAt: place))
      }
      surplus = bytes.rest
      var next = fallbacks[...]
      for (id, name) in names.enumerated() {
        var record = [
          try key("$classname"), name, try key("$classes"), try builder.add(array: [name]),
        ]
        let own = next.prefix { $0.of == id }
        next = next.dropFirst(own.count)
        if !own.isEmpty {
          record += [
            try key("$classhints"), try builder.add(array: own.map { names[$0.index] }[...]),
          ]
        }
        records.append(try builder.add(dictionary: record[...]))
      }
    }

    private mutating func readObjects() throws(ArchiveError) {
      values = Array(repeating: Value(), count: bytes.count(of: .values))
      for index in 0..<bytes.begin(.objects) {
        let start = bytes.offset
        let (id, first) = (try bytes.readCount(), try bytes.readCount())
        let count = try bytes.readCount()
        guard id < classes.count else { throw bytes.damage("an object has no class", at: start) }
        guard first <= values.count, count <= values.count - first else {
          throw bytes.damage("an object has values beyond the last", at: start)
        }
        for value in first..<first + count {
          guard values[value].owner == nil else {
            throw bytes.damage("an object has a value of another", at: start)
          }
          values[value].owner = UInt32(truncatingIfNeeded: index)
        }
        objects.append((id, first..<first + count))
      }
      try bytes.finish()
      guard !objects.isEmpty else {
        throw bytes.damage("it has no objects", at: NibBytes.place(of: .objects))
      }
    }

    private mutating func readKeys() throws(ArchiveError) {
      for _ in 0..<bytes.begin(.keys) {
        let (text, place) = try bytes.readBytes(try bytes.readCount())
        let (name, string) = try checked(text, at: place)
        let role: Key.Role =
          switch string {
          case "NSInlinedValue": .inlined
          case "UINibEncoderEmptyKey": .unkeyed
          case "NS.bytes": .bytes
          default: .plain
          }
        let node = string.hasPrefix("$") ? try key("$\(string)") : try builder.add(key: name)
        keys.append(Key(node: node, role: role))
      }
      try bytes.finish()
    }

    private mutating func readValues() throws(ArchiveError) {
      let null = UInt32(truncatingIfNeeded: objects.count + classes.count)
      let textKey = UInt32(truncatingIfNeeded: keys.count)
      for index in 0..<bytes.begin(.values) {
        let start = bytes.offset
        let key = try bytes.readCount()
        guard key < keys.count else { throw bytes.damage("a value has no key", at: start) }
        guard let owner = values[index].owner else {
          throw bytes.damage("a value belongs to no object", at: start)
        }
        values[index].key = UInt32(truncatingIfNeeded: key)
        switch try bytes.readValue() {
        case .integer(let value): values[index].node = try builder.add(value)
        case .bool(let value): values[index].node = try builder.add(value)
        case .real(let value): values[index].node = try builder.add(value)
        case .null:
          usesNull = true
          values[index].node = try builder.add(uid: null)
        case .object(let uid):
          values[index].node = try builder.add(uid: UInt32(truncatingIfNeeded: uid))
        case .bytes(let data, let place):
          if keys[key].role == .bytes, classes[objects[Int(owner)].class].isText,
            BorrowedText(bytes: data, encoding: .utf8).exactString != nil
          {
            values[index].key = textKey
            values[index].node = try builder.add(text: data, inFileAt: place)
          } else {
            values[index].node = try builder.add(data: data)
          }
        }
      }
      try bytes.finish()
      keys.append(Key(node: try key("NS.string"), role: .plain))
    }

    /// A text in the file and its string.
    private func checked(
      _ text: BorrowedBytes, at place: Int
    ) throws(ArchiveError) -> (BorrowedBytes, String) {
      guard let string = BorrowedText(bytes: text, encoding: .utf8).exactString else {
        throw bytes.damage("a name is not UTF-8", at: place)
      }
      return (text, string)
    }

    // MARK: The archive

    private mutating func addFrame() throws(ArchiveError) -> UInt32 {
      var entries: [UInt32] = []
      var top: UInt32 = 0
      for (id, range) in objects {
        var pairs = try pairs(of: classes[id], values[range])
        if entries.isEmpty { top = try builder.add(dictionary: pairs[...]) }
        let record = objects.count + id
        pairs += [try key("$class"), try builder.add(uid: UInt32(truncatingIfNeeded: record))]
        entries.append(try builder.add(dictionary: pairs[...]))
      }
      entries += records
      if usesNull { entries.append(try text("$null")) }
      var frame = [
        try key("$archiver"), try text("UINibEncoder"),
        try key("$version"), try builder.add(Int64(bytes.version)),
        try key("$top"), top, try key("$objects"), try builder.add(array: entries[...]),
      ]
      if surplus > 0 {
        frame += [try key("bytes after the last class"), try builder.add(Int64(surplus))]
      }
      return try builder.add(dictionary: frame[...])
    }

    /// The keys and values of an object in turn, as NSKeyedArchiver would have written them.
    private mutating func pairs(
      of owner: Class, _ values: ArraySlice<Value>
    ) throws(ArchiveError) -> [UInt32] {
      if let kind = owner.collection, isInlined(values, isKeyed: kind.isKeyed) {
        let elements = values.filter { keys[Int($0.key)].role == .unkeyed }.map(\.node)
        guard kind.isKeyed else {
          return [try key("NS.objects"), try builder.add(array: elements[...])]
        }
        let places = stride(from: 0, to: elements.count, by: 2)
        let (first, second) = (places.map { elements[$0] }, places.map { elements[$0 + 1] })
        return [
          try key("NS.keys"), try builder.add(array: first[...]),
          try key("NS.objects"), try builder.add(array: second[...]),
        ]
      }
      var pairs: [UInt32] = []
      pairs.reserveCapacity(2 * values.count + 2)
      var unkeyed = 0
      for value in values {
        let key = keys[Int(value.key)]
        if key.role == .unkeyed {
          pairs.append(try self.key("$\(unkeyed)"))
          unkeyed += 1
        } else {
          pairs.append(key.node)
        }
        pairs.append(value.node)
      }
      return pairs
    }

    /// True for an object with nothing but elements and the mark of a collection with such.
    private func isInlined(_ values: ArraySlice<Value>, isKeyed: Bool) -> Bool {
      let marks = values.count { keys[Int($0.key)].role == .inlined }
      let elements = values.count { keys[Int($0.key)].role == .unkeyed }
      return marks == 1 && marks + elements == values.count && !(isKeyed && elements % 2 == 1)
    }

    private mutating func key(_ name: String) throws(ArchiveError) -> UInt32 {
      try Array(name.utf8).withBorrowedBytes { (text) throws(ArchiveError) in
        try builder.add(key: text)
      }
    }

    private mutating func text(_ text: String) throws(ArchiveError) -> UInt32 {
      try Array(text.utf8).withBorrowedBytes { (text) throws(ArchiveError) in
        try builder.add(text: text)
      }
    }
  }
}
