/// The parts of a value whose class is a list of them: see `PartList`.
struct NamedParts: FoundationParts {
  /// A part that is there.
  struct Part: Sendable, Hashable {
    let name: String
    let value: UnarchivedValue
    /// True if the JSON has the text of data, a date or a URL, or the pairs of a dictionary, and
    /// not the small object that stands for any such value.
    let isBare: Bool
  }

  let `class`: String
  /// The parts, in the order of the list.
  let parts: [Part]

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(`class`, forKey: Name(stringValue: "class"))
    for part in parts {
      let name = Name(stringValue: part.name)
      switch part.value {
      case .data(let data) where part.isBare: try container.encode(data, forKey: name)
      case .date(let date) where part.isBare: try container.encode(date, forKey: name)
      case .url(let url) where part.isBare: try container.encode(url, forKey: name)
      case .dictionary where part.isBare:
        try container.encode(part.value.valuesByKey, forKey: name)
      default: try container.encode(part.value, forKey: name)
      }
    }
  }
}
