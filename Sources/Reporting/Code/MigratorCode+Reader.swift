extension MigratorCode {
  /// The objects of old archives, and the rows that they become.
  static let reader = #"""
    /// The place of what a key of an old object holds.
    struct LegacyKey: Sendable {
      /// True if a value, or a reference to an object, has a column.
      var holdsValue = false
      var holdsObject = false
      /// The table of the elements of a collection.
      var elements: String?
      /// The table of links in which the other side of the relationship has them.
      var inverse: String?
      /// The columns of the members with their owner, and with their position.
      var members: (owner: String, position: String?)?
      /// True if no more than the number of elements is kept: none.
      var isEmptyCollection = false
    }

    /// An object of an old archive.
    class LegacyObject: KeyedDecodable {
      /// The names of its class: that in the archives of the store, and others of `LegacyNames`.
      final class var archivedClassNames: [String] {
        [legacyClass] + LegacyNames.classes.filter { $0.value == legacyClass }.map(\.key).sorted()
      }
      class var legacyClass: String { "" }
      class var table: String { "" }
      class var keys: [String: LegacyKey] { [:] }
      /// The keys behind the columns that lead to other rows.
      class var references: [String: String] { [:] }

      /// The number of its row.
      fileprivate(set) final var id: Int64 = 0
      /// The content by key, and the keys in the order of the archive.
      fileprivate final var values: [String: DecodedValue] = [:]
      fileprivate final var order: [String] = []
      fileprivate final var unread: [String] = []
      fileprivate final var positions: [String: Int64] = [:]

      required init(coder: KeyedCoder) throws {
        let (known, all) = (Self.keys, coder.allKeys)
        let names = LegacyNames.keys[Self.legacyClass] ?? [:]
        for key in all {
          var name = key
          // A former name counts where the present one is not there.
          if known[key] == nil, let present = names[key], !all.contains(present) { name = present }
          guard known[name] != nil else {
            unread.append(key)
            continue
          }
          order.append(name)
          try coder.decodeReferences(forKey: key) { self.values[name] = $0 }
        }
        if coder.unkeyedCount > 0 { unread.append("values without a key") }
      }

      final subscript(key: String) -> LegacyValue {
        LegacyValue(value: values[key] ?? .null, owner: Self.legacyClass, key: key)
      }

      /// The position in the collection of its owner.
      final func position(_ column: String) -> Int64? { positions[column] }

      /// Inserts the row.
      func insert(into writer: LegacyWriter) throws {}

      /// Inserts the rows of a collection.
      func insertElements(of key: String, into writer: LegacyWriter) throws {}
    }

    /// The objects of an old archive, in the order of their rows.
    final class LegacyArchive {
      /// The numbers of rows by table.
      private(set) var counts: [String: Int] = [:]
      /// The keys that nothing reads, with the numbers of their objects.
      private(set) var unreadKeys: [String: Int] = [:]
      private var objects: [LegacyObject] = []
      private var roots: [(key: String, value: DecodedValue)] = []
      private var collections: [DecodedValue] = []
      private var links: [String: Set<LegacyLink>] = [:]
      private var inverseLinks: [String: [LegacyLink: Int64]] = [:]

      /// Reads an archive, of which a copy is made in memory.
      ///
      /// - Parameters:
      ///   - path: Its path.
      ///   - last: The numbers of the last rows by table.
      init(contentsOf path: String, after last: inout [String: Int64]) throws {
        var options = UnarchivingOptions(types: LegacySchema.types)
        options.recordClasses = LegacySchema.recordClasses
        let unarchiver = try KeyedUnarchiver(contentsOf: path, options: options)
        guard unarchiver.coder.unkeyedCount == 0 else {
          throw LegacyError("\(path): top-level values without keys")
        }
        for (place, key) in unarchiver.coder.allKeys.enumerated() {
          roots.append((key, .null))
          try unarchiver.coder.decodeReferences(forKey: key) { self.roots[place].value = $0 }
        }
        try unarchiver.finishDecoding()
        try number(after: &last)
        for (table, pairs) in inverseLinks {
          for link in pairs.keys where links[table]?.contains(link) != true {
            throw LegacyError("\(table): only one side of a relationship has a link")
          }
        }
      }

      deinit {
        // Long lists of objects would be released recursively.
        for object in objects { object.values = [:] }
      }

      // MARK: Numbers

      private func number(after last: inout [String: Int64]) throws {
        for root in roots { meet(root.value, &last) }
        var (next, nextCollection) = (0, 0)
        while true {
          if next < objects.count {
            try visit(objects[next], &last)
            next += 1
          } else if nextCollection < collections.count {
            let collection = collections[nextCollection]
            for element in LegacyValue(value: collection, owner: "", key: "").elements {
              meet(element.key.value, &last)
              meet(element.value.value, &last)
              counts["_collection_element", default: 0] += 1
            }
            nextCollection += 1
          } else {
            break
          }
        }
        counts["_collection"] = collections.count
        counts["_top"] = roots.count
      }

      /// Numbers the object that a value is, if it is one.
      private func meet(_ value: DecodedValue, _ last: inout [String: Int64]) {
        switch value {
        case .object(let object as LegacyObject) where object.id == 0:
          let table = type(of: object).table
          last[table, default: 0] += 1
          object.id = last[table, default: 0]
          objects.append(object)
          counts[table, default: 0] += 1
        case .array, .set, .orderedSet, .dictionary: collections.append(value)
        default: break
        }
      }

      private func visit(_ object: LegacyObject, _ last: inout [String: Int64]) throws {
        let keys = type(of: object).keys
        for key in object.unread {
          unreadKeys["\(type(of: object).legacyClass).\(key)", default: 0] += 1
        }
        for key in object.order where !object[key].isCollection {
          try object[key].check(keys[key])
          meet(object[key].value, &last)
        }
        for key in object.order where object[key].isCollection {
          guard let place = keys[key] else { continue }
          try object[key].check(place)
          let elements = object[key].elements
          for element in elements {
            meet(element.key.value, &last)
            meet(element.value.value, &last)
          }
          if let table = place.elements { counts[table, default: 0] += elements.count }
          try link(object, place, elements)
        }
      }

      /// Notes the links of a relationship whose other side has them too.
      private func link(
        _ owner: LegacyObject, _ place: LegacyKey, _ elements: [LegacyElement]
      ) throws {
        for element in elements {
          guard case .object(let member as LegacyObject) = element.value.value else { continue }
          if let table = place.elements {
            links[table, default: []].insert(.init(owner: owner.id, member: member.id))
          } else if let table = place.inverse {
            inverseLinks[table, default: [:]][.init(owner: member.id, member: owner.id)] =
              element.index
          } else if let columns = place.members {
            guard let back = type(of: member).references[columns.owner],
              case .object(let found as LegacyObject) = member[back].value, found === owner
            else { throw element.value.error("a member does not lead back to its owner") }
            guard let column = columns.position else { continue }
            guard member.positions.updateValue(element.index, forKey: column) == nil else {
              throw element.value.error("a member is there twice")
            }
          }
        }
      }

      // MARK: Rows

      /// True if a value stands for all that the top-level keys hold together.
      private func isDocument(_ value: DecodedValue) -> Bool {
        guard roots.count == 1, case .object(let object as LegacyObject) = value else { return false }
        return type(of: object).legacyClass == LegacySchema.recordClasses["$top"]
      }

      /// Inserts the rows.
      func insert(into writer: LegacyWriter) throws {
        writer.inverseLinks = inverseLinks
        for root in roots {
          let place = try writer.place(LegacyValue(value: root.value, owner: "$top", key: root.key))
          let key = isDocument(root.value) ? "$top" : root.key
          try writer.db.execute(
            sql: """
              INSERT INTO _top (archive_id, "key", value, entity, "row") VALUES (?, ?, ?, ?, ?)
              """,
            arguments: [writer.archive, key, place.value, place.table, place.id])
        }
        for object in objects {
          try object.insert(into: writer)
          for key in object.order where object[key].isCollection {
            try object.insertElements(of: key, into: writer)
          }
        }
        try writer.insertCollections()
      }
    }

    /// The two ends of a link.
    struct LegacyLink: Hashable {
      var owner: Int64
      var member: Int64
    }

    /// The rows of an archive on their way into the database.
    final class LegacyWriter {
      /// The columns of a value: the value itself, or the row that it leads to.
      typealias LegacyPlace = (value: StoreValue?, id: Int64?, table: String?)

      let db: Database
      let archive: Int64
      fileprivate var inverseLinks: [String: [LegacyLink: Int64]] = [:]
      private var lastCollection: Int64
      private var collections: [(id: Int64, value: LegacyValue)] = []

      init(_ db: Database, archive path: String) throws {
        self.db = db
        try db.execute(sql: "INSERT INTO _archive (path) VALUES (?)", arguments: [path])
        archive = db.lastInsertedRowID
        lastCollection =
          try Int64.fetchOne(db, sql: "SELECT coalesce(max(id), 0) FROM _collection") ?? 0
      }

      /// The columns of a value; a collection gets rows of its own.
      func place(_ value: LegacyValue) throws -> LegacyPlace {
        if value.isCollection {
          lastCollection += 1
          collections.append((lastCollection, value))
          return (nil, lastCollection, "_collection")
        }
        if let id = try value.row() { return (nil, id, value.table()) }
        return (try value.any(), nil, nil)
      }

      /// The position of a link in the collection of the other side.
      func inversePosition(_ table: String, _ owner: Int64, _ member: Int64?) -> Int64? {
        member.flatMap { inverseLinks[table]?[LegacyLink(owner: owner, member: $0)] }
      }

      fileprivate func insertCollections() throws {
        var next = 0
        while next < collections.count {
          let (id, value) = collections[next]
          next += 1
          try db.execute(
            sql: "INSERT INTO _collection (id, kind) VALUES (?, ?)", arguments: [id, value.kind])
          for element in value.elements {
            let key = try place(element.key)
            let value = try place(element.value)
            try db.execute(
              sql: """
                INSERT INTO _collection_element (collection_id, position, "key", key_id, key_type,
                  value, value_id, value_type) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
              arguments: [
                id, element.position, key.value, key.id, key.table, value.value, value.id,
                value.table,
              ])
          }
        }
      }
    }

    """#
}
