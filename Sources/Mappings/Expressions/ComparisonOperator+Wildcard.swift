extension ComparisonOperator {
  /// The pattern of a `LIKE`, for whole texts: `?` is any scalar, `*` any number of them.
  ///
  /// A backslash takes their meaning from the two, and from another backslash.
  struct Wildcard {
    /// The longest text and the longest pattern, in bytes.
    static let maxBytes = 65_536
    private static let maxSteps = 10_000_000

    private enum Part: Equatable {
      case scalar(Unicode.Scalar)
      case one
      case any
    }

    private var parts: [Part] = []

    init(_ text: String) {
      var isEscaped = false
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\\" where !isEscaped:
          isEscaped = true
          continue
        case "?" where !isEscaped: parts.append(.one)
        case "*" where !isEscaped: if parts.last != .any { parts.append(.any) }
        default:
          // Before any other character a backslash is one.
          if isEscaped, !["\\", "?", "*"].contains(scalar) { parts.append(.scalar("\\")) }
          parts.append(.scalar(scalar))
        }
        isEscaped = false
      }
      if isEscaped { parts.append(.scalar("\\")) }
    }

    /// True if the whole text matches.
    func matches(_ text: String) throws(ExpressionFailure) -> Bool {
      guard text.utf8.count <= Self.maxBytes, parts.count <= Self.maxBytes else {
        throw ExpressionFailure(.tooLong, name: "\(Self.maxBytes)")
      }
      let scalars = Array(text.unicodeScalars)
      var place = 0
      var part = 0
      // The latest `*`, and how far it reaches so far.
      var star: (part: Int, end: Int)?
      var steps = 0
      while place < scalars.count {
        steps += 1
        guard steps < Self.maxSteps else {
          throw ExpressionFailure(.tooComplex)
        }
        if part < parts.count, parts[part] == .any {
          star = (part, place)
          part += 1
        } else if part < parts.count, parts[part] == .one || parts[part] == .scalar(scalars[place])
        {
          place += 1
          part += 1
        } else if let latest = star {
          star = (latest.part, latest.end + 1)
          part = latest.part + 1
          place = latest.end + 1
        } else {
          return false
        }
      }
      return parts[part...].allSatisfy { $0 == .any }
    }
  }
}
