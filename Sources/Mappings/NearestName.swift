/// Finds the name that someone may have meant who wrote another.
public enum NearestName {
  /// The greatest length of names that are compared: the time grows with its square.
  private static let longest = 100

  /// The name that differs least from a name that is not among them, if one is close.
  ///
  /// It differs in one letter of three at most: one that is added, left out, put for another, or
  /// exchanged with its neighbour; or else only in its ending. Case does not count. Of names that
  /// are equally close, the one with more letters in their places is taken, or the first.
  public static func find(_ name: String, in names: [String]) -> String? {
    let letters = Array(name.lowercased().unicodeScalars)
    guard !letters.isEmpty, letters.count <= longest else { return nil }
    var best: (name: String, distance: Int, exact: Int)?
    var limit = max(1, letters.count / 3)
    for candidate in names where candidate.utf8.count <= 4 * longest {
      let others = Array(candidate.lowercased().unicodeScalars)
      // Where no letter is left in its place, it is no other spelling.
      guard let distance = distance(letters, others, limit: limit),
        distance < max(letters.count, others.count)
      else { continue }
      let exact = zip(name.unicodeScalars, candidate.unicodeScalars).count { $0 == $1 }
      if let best, best.distance == distance, best.exact >= exact { continue }
      best = (candidate, distance, exact)
      limit = distance
    }
    return best?.name ?? sameBeginning(as: name, in: names)
  }

  /// The name that begins as another does but for its ending: "entities" for "entity".
  private static func sameBeginning(as name: String, in names: [String]) -> String? {
    let letters = Array(name.lowercased().unicodeScalars)
    var best: (name: String, count: Int)?
    for candidate in names where candidate.utf8.count <= 4 * longest {
      let others = Array(candidate.lowercased().unicodeScalars)
      let count = zip(letters, others).prefix { $0 == $1 }.count
      // Short names have short words in common by chance.
      guard count >= 4, 4 * count >= 3 * min(letters.count, others.count),
        2 * count >= max(letters.count, others.count), count > best?.count ?? 0
      else { continue }
      best = (candidate, count)
    }
    return best?.name
  }

  /// In how many places two texts differ, or nil if in more than a limit.
  ///
  /// This is the Damerau-Levenshtein distance in which no part is changed twice.
  static func distance(
    _ first: [Unicode.Scalar], _ second: [Unicode.Scalar], limit: Int
  ) -> Int? {
    guard abs(first.count - second.count) <= limit else { return nil }
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (row, letter) in first.enumerated() {
      var current = [row + 1]
      current.reserveCapacity(second.count + 1)
      for (column, other) in second.enumerated() {
        var least = min(last[column + 1], current[column]) + 1
        least = min(least, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[second.count] <= limit ? last[second.count] : nil
  }
}
