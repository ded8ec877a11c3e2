import Support

extension ImportValue {
  /// True if two values are the same: of one kind, and texts byte for byte, not by what Unicode
  /// takes for the same.
  public static func == (one: ImportValue, other: ImportValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.decimal(let one), .decimal(let other)): one == other
    case (.text(let one), .text(let other)), (.url(let one), .url(let other)):
      one.hasSameBytes(as: other)
    case (.date(let one), .date(let other)): one == other
    case (.data(let one), .data(let other)): one == other
    case (.uuid(let one), .uuid(let other)): one == other
    case (.foundation(let one), .foundation(let other)):
      one == other && one.json.hasSameBytes(as: other.json)
    case (.row(let one), .row(let other)): one == other
    case (.list(let one), .list(let other)), (.set(let one), .set(let other)): one == other
    case (.dictionary(let one), .dictionary(let other)): one == other
    default: false
    }
  }
}
