import Support

extension ConversionReport {
  /// The broken rules of the model, in words: a line for all that differ in nothing but the object.
  public var errorMessages: [String] {
    var counts: [BrokenRule: Int] = [:]
    for rule in validationErrors { counts[rule.withoutObject, default: 0] += 1 }
    // Of each kind, there may be more than are listed.
    for rule in validationErrors {
      guard let times = rule.times, let listed = counts[rule.withoutObject] else { continue }
      counts[rule.withoutObject] = max(times, listed)
    }
    let told = Array(counts.values).boundedSum
    var lines: [String] = []
    for rule in validationErrors {
      let path = rule.archive ?? "the store"
      guard let count = counts.removeValue(forKey: rule.withoutObject) else { continue }
      guard count > 1 else {
        lines.append("\(path): \(rule.message)")
        continue
      }
      let first = rule.uid.map { ", first in object \($0)" } ?? ""
      lines.append(
        "\(path): \(rule.withoutObject.message): \(Words.count(count, "time"))\(first)")
    }
    let rest = validationErrorCount - told
    if rest > 0 {
      let more = Words.count(rest, "more error")
      lines.append("\(more) \(rest == 1 ? "is" : "are") not listed")
    }
    return lines
  }
}

extension ConversionReport.BrokenRule {
  /// The rule without the object, as others may have broken it.
  fileprivate var withoutObject: Self {
    var rule = self
    (rule.uid, rule.row, rule.times) = (nil, nil, nil)
    let place = uid.map { "object \($0)" } ?? row.map { "row \($0)" } ?? ""
    guard !place.isEmpty, message.hasPrefix(place) else { return rule }
    let rest = String(message.dropFirst(place.count))
    if let className, rest.hasPrefix(" (\(className))") {
      rule.message = className + rest.dropFirst(className.count + 3)
    } else {
      rule.message = rest.hasPrefix(": ") || rest.hasPrefix(", ") ? String(rest.dropFirst(2)) : rest
    }
    return rule
  }
}
