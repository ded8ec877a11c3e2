extension MigratorCode {
  /// The values of old objects in the forms of columns.
  static let values = #"""
    /// The reason why a migration failed.
    public struct LegacyError: Error, CustomStringConvertible, Sendable {
      /// The class, key and reason.
      public let description: String

      init(_ description: String) { self.description = description }
    }

    /// The content of an old object under a key.
    struct LegacyValue {
      let value: DecodedValue
      let owner: String
      let key: String

      func error(_ reason: String) -> LegacyError { LegacyError("\(owner).\(key): \(reason)") }

      /// Refuses what has no place.
      func check(_ place: LegacyKey?) throws {
        switch value {
        case .null, .nsNull: return
        case .object: if place?.holdsObject == true { return }
        case .array, .set, .orderedSet, .dictionary:
          guard let place else { break }
          let isKept = place.elements != nil || place.inverse != nil || place.members != nil
          if isKept || place.isEmptyCollection && elements.isEmpty { return }
        default: if place?.holdsValue == true { return }
        }
        throw unfit("what the store has there")
      }

      private func unfit(_ expected: String) -> LegacyError {
        error("\(expected) was expected, but a value of another kind found")
      }

      // MARK: Values

      /// The value; nil for nothing, and for what has another column.
      private var plain: DecodedValue? {
        switch value {
        case .null, .nsNull, .object, .array, .set, .orderedSet, .dictionary: nil
        default: value
        }
      }

      private func read<Found>(
        _ expected: String, _ form: (DecodedValue) throws -> Found?
      ) throws -> Found? {
        guard let plain else { return nil }
        guard let found = try form(plain) else { throw unfit(expected) }
        return found
      }

      func bool() throws -> Bool? {
        try read("a boolean") {
          switch $0 {
          case .bool(let value): value
          case .integer(0): false
          case .integer(1): true
          default: nil
          }
        }
      }

      func integer() throws -> Int64? {
        try read("a whole number") {
          switch $0 {
          case .bool(let value): value ? 1 : 0
          case .integer(let value): value
          default: nil
          }
        }
      }

      func real() throws -> Double? {
        try read("a real number") {
          switch $0 {
          case .real(let value): value.isNaN ? nil : value
          case .integer(let value): Double(exactly: value)
          default: nil
          }
        }
      }

      func text() throws -> String? {
        try read("a text") {
          switch $0 {
          case .text(let text), .className(let text): text
          default: nil
          }
        }
      }

      /// The text that stands for a value of a kind that has no column of its own.
      func storedText() throws -> String? {
        switch try any() {
        case nil: nil
        case .text(let text): text
        default: throw unfit("a text")
        }
      }

      /// A text, with or without attributes, which `runs` has.
      func attributedText() throws -> String? {
        if case .foundation(let found) = value, let text = found.as(ArchivedAttributedString.self) {
          return text.text
        }
        return try text()
      }

      func runs() -> JSONValue? {
        guard case .foundation(let found) = value,
          let text = found.as(ArchivedAttributedString.self)
        else { return nil }
        return JSONValue(storeText: text.runsJSON)
      }

      func date() throws -> Date? {
        try read("a date") { if case .date(let date) = $0 { date } else { nil } }
      }

      func decimal() throws -> Decimal? {
        try read("a decimal number") { if case .decimal(let number) = $0 { number } else { nil } }
      }

      func uuid() throws -> UUID? {
        try read("a UUID") { if case .uuid(let uuid) = $0 { uuid } else { nil } }
      }

      func url() throws -> URL? {
        try read("a URL") {
          guard case .url(let text) = $0, let url = URL(string: text) else { return nil }
          return url.absoluteString == text ? url : nil
        }
      }

      func data() throws -> Data? {
        try read("data") { if case .data(let data) = $0 { data } else { nil } }
      }

      func json() throws -> JSONValue? {
        try read("a value of Foundation") {
          if case .foundation(let found) = $0 { JSONValue(storeText: found.json) } else { nil }
        }
      }

      func any() throws -> StoreValue? {
        try read("a value") {
          switch $0 {
          case .bool(let value): .integer(value ? 1 : 0)
          case .integer(let value): .integer(value)
          case .wideInteger(let value): .text("\(value)")
          case .real(let value): value.isNaN ? .text("NaN") : .real(value)
          case .decimal(let value): .text("\(value)")
          case .text(let text), .url(let text), .className(let text): .text(text)
          case .date(let date): .text(StoreDate.text(date))
          case .data(let data): .data(data)
          case .uuid(let uuid): .text(uuid.uuidString)
          case .foundation(let found): .text(found.json)
          default: nil
          }
        }
      }

      // MARK: Rows

      /// The row of the object; nil if it is none.
      ///
      /// - Parameter table: The only table that it may be in.
      func row(in table: String? = nil) throws -> Int64? {
        guard case .object(let object) = value else { return nil }
        guard let object = object as? LegacyObject, object.id > 0,
          table == nil || type(of: object).table == table
        else { throw unfit(table.map { "an object of \($0)" } ?? "an object") }
        return object.id
      }

      func table() -> String? {
        guard case .object(let object as LegacyObject) = value else { return nil }
        return type(of: object).table
      }

      // MARK: Collections

      var isCollection: Bool {
        switch value {
        case .array, .set, .orderedSet, .dictionary: true
        default: false
        }
      }

      /// The name of the kind of collection.
      var kind: String {
        switch value {
        case .set: "set"
        case .orderedSet: "orderedSet"
        case .dictionary: "dictionary"
        default: "array"
        }
      }

      /// The number of elements; nil if it is no collection.
      func count() -> Int64? { isCollection ? Int64(elements.count) : nil }

      /// The elements of the collection, or the pairs.
      var elements: [LegacyElement] {
        func element(
          _ index: Int, _ key: DecodedValue, _ value: DecodedValue, isOrdered: Bool
        ) -> LegacyElement {
          LegacyElement(
            index: Int64(index), position: isOrdered ? Int64(index) : nil,
            key: LegacyValue(value: key, owner: owner, key: self.key),
            value: LegacyValue(value: value, owner: owner, key: self.key))
        }
        return switch value {
        case .array(let all), .orderedSet(let all):
          all.enumerated().map { element($0, .null, $1, isOrdered: true) }
        case .set(let all): all.enumerated().map { element($0, .null, $1, isOrdered: false) }
        case .dictionary(let pairs):
          pairs.enumerated().map { element($0, $1.key, $1.value, isOrdered: false) }
        default: []
        }
      }
    }

    /// An element of a collection, or a pair of a dictionary.
    struct LegacyElement {
      let index: Int64
      /// Its position; nil if the collection has no order.
      let position: Int64?
      let key: LegacyValue
      let value: LegacyValue
    }

    """#
}
