extension SwiftCode {
  /// The dates of a store in the relational layout.
  static let dates = #"""
    /// Dates as the store has them: ISO 8601 in UTC with 3 digits of a second or more, or seconds
    /// since 2001 for those that no calendar reaches.
    enum StoreDate {
      private static let style = Date.ISO8601FormatStyle()
      /// The calendar begins again after 400 years of so many seconds.
      private static let era = 12_622_780_800.0

      static func date(_ text: String) -> Date? {
        guard text.hasSuffix("Z"), let mark = text.dropFirst().firstIndex(of: "-") else {
          return Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
        }
        let parts = text[mark...].dropLast().split(separator: ".", maxSplits: 1)
        guard let year = Int(text[..<mark]), (-1_000_000_000...1_000_000_000).contains(year),
          let rest = parts.first
        else { return nil }
        let eras = (Double(year - 2001) / 400).rounded(.down)
        guard let start = try? style.parse("\(year - 400 * Int(eras))\(rest)Z"),
          let fraction = Decimal(string: parts.count == 2 ? "0.\(parts[1])" : "0")
        else { return nil }
        let whole = Int64(start.timeIntervalSinceReferenceDate + eras * era)
        // In decimals, so that the nearest double is found.
        return Double("\(Decimal(whole) + fraction)").map { Date(timeIntervalSinceReferenceDate: $0) }
      }

      static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        guard abs(seconds) < 9_007_199_254_740_992 else { return "\(seconds)" }
        let whole = seconds.rounded(.down)
        let eras = (whole / era).rounded(.down)
        let rest = style.format(Date(timeIntervalSinceReferenceDate: whole - eras * era)).dropLast()
        let year = 400 * Int(eras) + (Int(rest.prefix(4)) ?? 0)
        let form = (0...9999).contains(year) ? "%04d" : "%+07d"
        // The fewest digits that give the number back, with zeros up to milliseconds or nanoseconds.
        let fraction = (Decimal(string: "\(seconds)") ?? 0) - Decimal(Int64(whole))
        let digits = "\(fraction)".dropFirst(2)
        let zeros = String(repeating: "0", count: max(0, (digits.count > 3 ? 9 : 3) - digits.count))
        let text = "\(String(format: form, year))\(rest.dropFirst(4)).\(digits)\(zeros)Z"
        return StoreDate.date(text) == date ? text : "\(seconds)"
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
