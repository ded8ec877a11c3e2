/// The growth that is left to an archive whose shared objects are written for each owner.
package struct ExpansionBudget: Sendable {
  private var elements: Int
  private var bytes: Int
  private let limits: ReadingLimits

  /// A budget for an archive.
  ///
  /// Small ones get something on top, but not those inside of others, of which a file may hold
  /// many.
  package init(_ source: any GraphSource, _ limits: ReadingLimits, isNested: Bool) {
    elements = Self.product(source.valueCount, limits.expansion) + (isNested ? 0 : 100_000)
    bytes = Self.product(source.byteCount, limits.expansion) + (isNested ? 0 : 16_000_000)
    self.limits = limits
  }

  package mutating func spend(elements count: Int) throws(ArchiveError) {
    elements -= count
    guard elements >= 0 else { throw limits.exceeded(.expansion) }
  }

  /// Spends on a value that is written.
  package mutating func spend(
    on value: GraphValue, _ graph: any ObjectGraph
  ) throws(ArchiveError) {
    switch value {
    case .text(let text), .url(let text): try spend(bytes: text.bytes.count)
    case .data(let data): try spend(bytes: data.count)
    case .foundation(let uid, _): try spend(bytes: try graph.foundationByteCount(uid))
    case .relativeURL(let uid): try spend(bytes: graph.urlText(uid)?.utf8.count ?? 0)
    default: break
    }
  }

  package mutating func spend(bytes count: Int) throws(ArchiveError) {
    let (rest, overflow) = bytes.subtractingReportingOverflow(count)
    bytes = overflow ? -1 : rest
    guard bytes >= 0 else { throw limits.exceeded(.expansion) }
  }

  /// A product that is as large as can be where it overflows.
  package static func product(_ a: Int, _ b: Int) -> Int {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? Int.max / 2 : min(product, Int.max / 2)
  }
}
