import ArchiveWriter
import Foundation

extension ArchiveGraph {
  /// Writes what stands under a key, with everything that it reaches, as a keyed archive of its
  /// own.
  struct PartCopy {
    private let reader: ObjectReader
    private let limits: ReadingLimits
    /// For each entry of the old archive that is copied, its place in the new one.
    private var places: [Int: UInt32]
    private var queue: [Int] = []
    private var inlineRoots = 0
    /// A file can share inline containers so that they multiply.
    private var budget: ExpansionBudget

    init(_ reader: ObjectReader, limits: ReadingLimits) {
      self.reader = reader
      self.limits = limits
      places = reader.zeroIsNull ? [0: 0] : [:]
      budget = ExpansionBudget(reader.archive, limits, isNested: false)
    }

    /// The archive, whose root is a node of the old one; in the binary form.
    ///
    /// - Complexity: Linear in what the node reaches.
    mutating func data(of node: Node) throws(ArchiveError) -> Data {
      var objects: [PropertyListValue] = ["$null"]
      var root = PropertyListValue.uid(1)
      if case .uid(let uid) = reader.table.value(of: node) {
        root = .uid(place(of: uid))
      } else {
        // A value that stands inline gets the first entry.
        inlineRoots = 1
        objects.append(try value(of: node, depth: 0))
      }
      return try data(root: root, &objects)
    }

    /// The archive whose root is an object of the old one; in the binary form.
    ///
    /// - Complexity: Linear in what the object reaches.
    mutating func data(ofObject uid: Int) throws(ArchiveError) -> Data {
      var objects: [PropertyListValue] = ["$null"]
      return try data(root: .uid(place(of: uid)), &objects)
    }

    /// The archive, with the objects that wait.
    private mutating func data(
      root: PropertyListValue, _ objects: inout [PropertyListValue]
    ) throws(ArchiveError) -> Data {
      var next = 0
      while next < queue.count {
        objects.append(try value(of: try reader.entry(queue[next]), depth: 0))
        next += 1
      }
      let isNib = reader.archive.format == .nib
      let archive: PropertyListValue = .dictionary([
        KeyValue("$version", .integer(isNib ? 100_000 : reader.archive.version)),
        KeyValue("$archiver", .string(isNib ? "NSKeyedArchiver" : reader.archive.archiver)),
        KeyValue("$top", .dictionary([KeyValue("root", root)])),
        KeyValue("$objects", .array(objects)),
      ])
      return BinaryPropertyListWriter().data(for: archive)
    }

    private mutating func value(of node: Node, depth: Int) throws(ArchiveError) -> PropertyListValue
    {
      guard depth < limits.depth else { throw limits.exceeded(.depth) }
      try budget.spend(elements: 1)
      let table = reader.table
      func values(_ run: Node.Run) throws(ArchiveError) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        for position in 0..<run.count {
          values.append(try value(of: table[run, position], depth: depth + 1))
        }
        return values
      }
      switch table.value(of: node) {
      case .null: return .null
      case .bool(let value): return .bool(value)
      case .integer(let value): return .integer(value)
      case .wideInteger(let offset):
        let wide = table.wideInteger(at: offset)
        return UInt64(exactly: wide).map { .unsigned($0) } ?? .string(String(wide))
      case .real(let value): return .real(value)
      case .date(let seconds): return .date(seconds)
      case .data(let range):
        try budget.spend(bytes: range.count)
        return .data(table.borrowed(range).data)
      case .text(let text):
        try budget.spend(bytes: text.bytes.count)
        guard text.encoding == .utf16 else { return .string(table.string(text)) }
        let bytes = unsafe table.bytes(text.bytes)
        return .utf16(
          stride(from: 0, to: bytes.count - 1, by: 2).map {
            unsafe UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
          })
      case .uid(let uid): return .uid(place(of: uid))
      case .array(let run): return .array(try values(run))
      case .set(let run): return .set(try values(run))
      case .dictionary(let keys, let run):
        let names = (0..<keys.count).map { table.string(at: table[keys, $0]) ?? "" }
        return .dictionary(zip(names, try values(run)).map { KeyValue($0, $1) })
      }
    }

    private mutating func place(of uid: Int) -> UInt32 {
      if let known = places[uid] { return known }
      let place = UInt32(truncatingIfNeeded: queue.count + inlineRoots + 1)
      places[uid] = place
      queue.append(uid)
      return place
    }
  }
}
