extension SwiftCode {
  /// The dates of a store in the relational layout.
  static let dates = #"""
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

    """#

  /// JSON in texts.
  static let json = #"""
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

    extension JSONValue {
      /// Reads JSON; nil if the text is none.
      init?(storeText text: String) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
          return nil
        }
        self = value
      }

      var storeText: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
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
