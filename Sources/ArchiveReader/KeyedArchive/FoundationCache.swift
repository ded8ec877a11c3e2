/// A value on its way out of the archive.
struct UnarchivedPart: Sendable {
  var value: UnarchivedValue
  var weight: ValueWeight
  /// What the elements weigh, if it is an array.
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

/// What a reader remembers of the values that hold others.
struct FoundationCache: Sendable {
  /// The value that was asked for last: it is checked first, and then mostly asked for.
  var last: (uid: Int, value: FoundationValue?, weight: ValueWeight)?
  /// Heavy values.
  var parts: [Node: UnarchivedPart] = [:]
  /// What the heavy values weigh together.
  var held = ValueWeight()
  /// For entries that could not be read as values, how many levels they had.
  var failures: [Node: Int] = [:]
  /// What has been read so far.
  var spent = ValueWeight()
}
