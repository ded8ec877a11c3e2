/// How much an archive may still grow when what its objects share is written for each of them.
package struct ExpansionBudget: Sendable {
  private var elements: Int
  private var bytes: Int
  private let limits: ReadingLimits

  /// A budget for an archive.
  ///
  /// Small ones get something on top, but not those inside of others, of which a file may hold
  /// many.
  package init(_ archive: KeyedArchive, _ limits: ReadingLimits, isNested: Bool) {
    let nodes = archive.table.count
    elements = Self.product(nodes, limits.expansion) + (isNested ? 0 : 100_000)
    bytes =
      Self.product(archive.propertyList.byteCount, limits.expansion) + (isNested ? 0 : 16_000_000)
    self.limits = limits
  }

  package mutating func spend(elements count: Int) throws(ArchiveError) {
    elements -= count
    guard elements >= 0 else { throw limits.exceeded(.expansion) }
  }

  package mutating func spend(
    on value: ArchivedValue, _ reader: inout ObjectReader
  ) throws(ArchiveError) {
    let count: Int
    switch value {
    case .foundation(let uid, _): count = try reader.foundationByteCount(uid)
    case .url(let uid):
      if let text = reader.wholeURL(uid), case .utf8 = text.encoding {
        return try spend(on: .text(text), in: reader.table)
      }
      count = reader.urlText(uid)?.utf8.count ?? 0
    default: return try spend(on: value, in: reader.table)
    }
    let (rest, overflow) = bytes.subtractingReportingOverflow(count)
    bytes = overflow ? -1 : rest
    guard bytes >= 0 else { throw limits.exceeded(.expansion) }
  }

  package mutating func spend(on value: ArchivedValue, in table: NodeTable) throws(ArchiveError) {
    switch value {
    case .text(let text): bytes -= text.bytes.count
    case .data(let range): bytes -= range.count
    default: return
    }
    guard bytes >= 0 else { throw limits.exceeded(.expansion) }
  }

  /// A product that is as large as can be where it overflows.
  package static func product(_ a: Int, _ b: Int) -> Int {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? Int.max / 2 : min(product, Int.max / 2)
  }
}
