/// The size of a value that is written out, shared parts as often as they occur.
package struct ValueWeight: Hashable, Sendable {
  /// Values, each element and each key for itself.
  package var parts = 0
  /// Bytes of texts and data.
  package var bytes = 0
  /// The number of levels of values in values: none for a plain one.
  package var levels = 0

  package init(parts: Int = 0, bytes: Int = 0, levels: Int = 0) {
    (self.parts, self.bytes, self.levels) = (parts, bytes, levels)
  }

  /// True if reading the value twice would be a waste.
  package var isHeavy: Bool { parts > 64 || bytes > 4_096 }

  /// About how many bytes of JSON they take: the names of keys and the signs between values count
  /// 16 for each part.
  package var jsonByteCount: Int {
    let (signs, manySigns) = parts.multipliedReportingOverflow(by: 16)
    let (sum, overflow) = signs.addingReportingOverflow(bytes)
    return manySigns || overflow ? .max : sum
  }

  /// Adds the weight of a part; a sum beyond what an integer holds stays at the largest.
  package mutating func add(_ part: ValueWeight) {
    let (parts, manyParts) = parts.addingReportingOverflow(part.parts)
    let (bytes, manyBytes) = bytes.addingReportingOverflow(part.bytes)
    self.parts = manyParts ? .max : parts
    self.bytes = manyBytes ? .max : bytes
    levels = max(levels, part.levels + 1)
  }
}
