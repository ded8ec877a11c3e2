import ArchiveReader
import DataModel
import Foundation
import Support

extension ValueConversion {
  /// Data that is a keyed archive of one value, to the value: what Core Data's default transformers
  /// make of a transformable attribute.
  ///
  /// Another property list, as SwiftData stores arrays of texts, is a value as a whole.
  /// A value is plain, one of Foundation's other classes such as a colour, or a collection of such.
  /// All else stays as it is: other data, damaged archives, those of an application's own classes,
  /// of nil or of data, and those that hold anything besides the value, or a text with unpaired
  /// surrogates, which no value keeps.
  struct UnarchivingStep: ConversionStep {
    private let limits = ReadingLimits.standard

    func resultType(from _: AttributeType) -> AttributeType { .mixed }

    func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
      guard case .data(let bytes) = value, let found = self.value(in: bytes) else {
        return ConvertedValue(value)
      }
      switch found {
      case .null, .data: return ConvertedValue(value)
      default: return ConvertedValue(found)
      }
    }

    /// The only value in an archive; nil if there is none that is a value as a whole.
    private func value(in bytes: Data) -> ImportValue? {
      let head = FileHead(bytes.prefix(FileHead.textSize))
      guard FileKind.isPropertyList(head) else { return nil }
      do throws(ArchiveError) {
        let list = try PropertyList(bytes: bytes, limits: limits)
        let archive =
          if KeyedArchive.isArchive(list) { try KeyedArchive(list) } else {
            KeyedArchive(valueOf: list)
          }
        guard let root = archive.roots.first, archive.roots.count == 1 else { return nil }
        guard archive.unreadKeys.isEmpty else { return nil }
        var reader = Reader(archive, limits)
        let value = try reader.value(try reader.graph.value(of: root), level: 0)
        return reader.graph.countUnreachedObjects() == 0 ? value : nil
      } catch {
        return nil
      }
    }

    /// Reads values out of an archive, as long as they do not multiply.
    private struct Reader {
      let graph: any ObjectGraph
      private let limits: ReadingLimits
      private var budget: ExpansionBudget

      init(_ archive: KeyedArchive, _ limits: ReadingLimits) {
        graph = archive.makeGraph(GraphOptions(limits: limits, countsUnreached: true))
        self.limits = limits
        budget = ExpansionBudget(archive, limits, isNested: true)
      }

      mutating func value(
        _ value: GraphValue, level: Int
      ) throws(ArchiveError) -> ImportValue {
        try budget.spend(on: value, graph)
        switch value {
        case .collection(let id, let kind): return try collection(id, kind, level: level + 1)
        case .object, .className: throw ArchiveError(.wrongKind, name: "a value")
        case .text(let text) where text.exactString == nil:
          throw ArchiveError(.wrongKind, name: "a text")
        default: return graph.importValue(ofPlain: value)
        }
      }

      private mutating func collection(
        _ id: CollectionID, _ kind: CollectionKind, level: Int
      ) throws(ArchiveError) -> ImportValue {
        guard level <= JSONText.maxLevels else { throw limits.exceeded(.depth) }
        let elements = try graph.elements(of: id, kind)
        try budget.spend(elements: elements.count)
        var values: [ImportValue] = []
        var pairs: [ImportValue.Pair] = []
        for position in 0..<elements.count {
          let value = try value(try graph.value(of: elements, at: position), level: level)
          if kind.isKeyed {
            let key = try self.value(try graph.key(of: elements, at: position), level: level)
            pairs.append(ImportValue.Pair(key, value))
          } else {
            values.append(value)
          }
        }
        if kind.isKeyed { return .dictionary(pairs) }
        return kind == .set ? .set(values) : .list(values)
      }
    }
  }
}
