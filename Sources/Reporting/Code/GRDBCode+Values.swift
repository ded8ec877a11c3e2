extension GRDBCode {
  /// The values of a store that GRDB has no form for, in Swift.
  static let values = #"""
    /// The forms of dates and UUIDs in the store.
    protocol StoreRecord: FetchableRecord, TableRecord {}

    extension StoreRecord {
      static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .custom { String.fromDatabaseValue($0).flatMap(StoreDate.date) }
      }
    }

    extension StoreRecord where Self: EncodableRecord {
      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .custom { StoreDate.text($0) }
      }

      static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        .uppercaseString
      }
    }

    /// Dates as the store has them: ISO 8601 in UTC with 3 digits of a second or more, or seconds
    /// since 2001 for those that no calendar reaches.
    enum StoreDate {
      private static let style = Date.ISO8601FormatStyle()

      static func date(_ text: String) -> Date? {
        guard text.hasSuffix("Z") else {
          return Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
        }
        let parts = text.dropLast().split(separator: ".", maxSplits: 1)
        guard let whole = parts.first, let date = try? style.parse("\(whole)Z") else { return nil }
        guard parts.count == 2, let fraction = Double("0.\(parts[1])") else { return date }
        return Date(
          timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate + fraction)
      }

      static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        // The years 1 to 9999.
        guard (-63_113_904_000..<252_423_993_600).contains(seconds) else { return "\(seconds)" }
        let whole = seconds.rounded(.down)
        let text = style.format(Date(timeIntervalSinceReferenceDate: whole)).dropLast()
        for digits in [3, 9, 17] {
          let fraction = String(format: "%.\(digits)f", seconds - whole).dropFirst(2)
          let written = "\(text).\(fraction)Z"
          if StoreDate.date(written) == date { return written }
        }
        return "\(seconds)"
      }
    }

    /// A value of any of SQLite's types.
    enum StoreValue: Hashable, Sendable {
      case integer(Int64)
      case real(Double)
      case text(String)
      case data(Data)
    }

    extension StoreValue: DatabaseValueConvertible {
      var databaseValue: DatabaseValue {
        switch self {
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .data(let data): data.databaseValue
        }
      }

      static func fromDatabaseValue(_ value: DatabaseValue) -> StoreValue? {
        switch value.storage {
        case .null: nil
        case .int64(let number): .integer(number)
        case .double(let number): .real(number)
        case .string(let text): .text(text)
        case .blob(let data): .data(data)
        }
      }
    }

    extension StoreValue: Codable {
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int64.self) {
          self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
          self = .real(number)
        } else if let text = try? value.decode(String.self) {
          self = .text(text)
        } else {
          self = .data(try value.decode(Data.self))
        }
      }

      func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .integer(let number): try value.encode(number)
        case .real(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .data(let data): try value.encode(data)
        }
      }
    }

    /// A value in JSON, whatever its form.
    @dynamicMemberLookup
    indirect enum JSONValue: Hashable, Sendable {
      case null
      case bool(Bool)
      case integer(Int64)
      case number(Double)
      case text(String)
      case list([JSONValue])
      case record([String: JSONValue])

      /// The value of a field of a record; nil if there is none.
      subscript(dynamicMember field: String) -> JSONValue? { self[field] }
      subscript(field: String) -> JSONValue? {
        if case .record(let fields) = self { fields[field] } else { nil }
      }
    }

    extension JSONValue: DatabaseValueConvertible {
      var databaseValue: DatabaseValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = try? encoder.encode(self)
        return text.map { String(decoding: $0, as: UTF8.self).databaseValue } ?? .null
      }

      static func fromDatabaseValue(_ value: DatabaseValue) -> JSONValue? {
        String.fromDatabaseValue(value).flatMap {
          try? JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
        }
      }
    }

    extension JSONValue: Codable {
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
          self = .null
        } else if let flag = try? value.decode(Bool.self) {
          self = .bool(flag)
        } else if let number = try? value.decode(Int64.self) {
          self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
          self = .number(number)
        } else if let text = try? value.decode(String.self) {
          self = .text(text)
        } else if let list = try? value.decode([JSONValue].self) {
          self = .list(list)
        } else {
          self = .record(try value.decode([String: JSONValue].self))
        }
      }

      func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let flag): try value.encode(flag)
        case .integer(let number): try value.encode(number)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .record(let fields): try value.encode(fields)
        }
      }
    }

    """#
}
