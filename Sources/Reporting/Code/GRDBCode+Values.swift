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

    extension JSONValue: DatabaseValueConvertible {
      var databaseValue: DatabaseValue { storeText.databaseValue }

      static func fromDatabaseValue(_ value: DatabaseValue) -> JSONValue? {
        String.fromDatabaseValue(value).flatMap(JSONValue.init(storeText:))
      }
    }

    """#
}
