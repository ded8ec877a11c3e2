extension ObjectReader {
  /// A value on its way out of the archive.
  struct UnarchivedPart: Sendable {
    var value: UnarchivedValue
    var weight: ValueWeight
    /// The weights of the elements, if it is an array.
    var elementWeights: [ValueWeight] = []

    init(_ value: UnarchivedValue, weight: ValueWeight, elementWeights: [ValueWeight] = []) {
      self.value = value
      self.weight = weight
      self.elementWeights = elementWeights
    }

    /// A plain value.
    init(_ value: UnarchivedValue, bytes: Int = 0) {
      self.init(value, weight: ValueWeight(parts: 1, bytes: bytes))
    }
  }
}

extension ObjectReader {
  /// The cache of a reader for values that hold others.
  struct FoundationCache: Sendable {
    /// A value that was asked for lately.
    struct Recent: Sendable {
      var uid: Int
      var value: FoundationValue?
      var weight: ValueWeight
    }

    /// The values asked for last: a value is checked first, and then mostly asked for.
    private var recent: [Recent] = []
    private var next = 0
    /// Heavy values.
    var parts: [Node: UnarchivedPart] = [:]
    /// The weight of all heavy values.
    var held = ValueWeight()
    /// For entries that could not be read as values, how many levels they had.
    var failures: [Node: Int] = [:]
    /// The value in values that has no level left, and the entries that failed for it.
    var overrun: (value: GraphValue, path: [Node])?
    /// The weight of all that has been read so far.
    var spent = ValueWeight()

    /// The value of an object, if it was asked for lately.
    func recent(_ uid: Int) -> Recent? { recent.first { $0.uid == uid } }

    /// Remembers a value in the place of the one that was asked for longest ago.
    mutating func note(_ uid: Int, _ value: FoundationValue?, _ weight: ValueWeight) {
      let entry = Recent(uid: uid, value: value, weight: weight)
      if weight.isHeavy || recent.contains(where: \.weight.isHeavy) {
        // A heavy one is remembered alone.
        (recent, next) = ([entry], 0)
      } else if recent.count < 8 {
        recent.append(entry)
      } else {
        recent[next] = entry
        next = (next + 1) % recent.count
      }
    }
  }
}
