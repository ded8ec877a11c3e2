import DataModel
import Foundation

extension ValueConversion {
  /// One value to another, as listed.
  ///
  /// Numbers and booleans are compared by value, whatever their kind, but a boolean is preferred to
  /// a number for a boolean. Texts are compared scalar by scalar.
  struct EnumerationStep: ConversionStep {
    private enum Key: Hashable {
      case null
      case bool(Bool)
      case number(ExactNumber)
      case text([UInt8])
      case other(ImportValue)

      init(_ value: ImportValue) {
        self =
          switch value {
          case .null: .null
          case .bool(let bool): .bool(bool)
          case .integer(let integer): .number(ExactNumber(integer))
          case .real(let real): ExactNumber(real).map { .number($0) } ?? .other(value)
          case .decimal(let decimal): ExactNumber(decimal).map { .number($0) } ?? .other(value)
          case .text(let text): .text(Array(text.utf8))
          default: .other(value)
          }
      }

      /// The boolean as a number, and the number as a boolean.
      var counterpart: Key? {
        switch self {
        case .bool(let bool): .number(ExactNumber(bool ? 1 : 0))
        case .number(ExactNumber(0)): .bool(false)
        case .number(ExactNumber(1)): .bool(true)
        default: nil
        }
      }
    }

    private let results: [Key: ConvertedValue]
    /// The results of the cases, from which values that are kept have to differ.
    private let taken: Set<Key>
    private let otherwise: ValueConversion.Fallback
    /// The types of what the cases lead to, nil left out.
    private let types: Set<AttributeType>

    let convertsNull = true

    init(
      _ cases: [ValueConversion.Rule.Case], otherwise: ValueConversion.Fallback
    ) throws(ConversionRuleError) {
      guard !cases.isEmpty else { throw ConversionRuleError(.noCases) }
      var uses: [Key: Int] = [:]
      for one in cases { uses[Key(one.to), default: 0] += 1 }
      var results: [Key: ConvertedValue] = [:]
      for one in cases {
        let key = Key(one.from)
        if case .other = key { throw ConversionRuleError(.badCase, name: one.from.kind) }
        guard results[key] == nil else {
          throw ConversionRuleError(.sameCase, name: one.from.kind)
        }
        var loss: ConvertedValue.Loss?
        if uses[Key(one.to), default: 0] > 1 {
          loss = ConvertedValue.Loss("other values map to the same one")
        } else if one.to.isNull, !one.from.isNull {
          loss = ConvertedValue.Loss("replaced by nil")
        }
        results[key] = ConvertedValue(one.to, loss: loss)
      }
      self.results = results
      taken = Set(uses.keys)
      types = Set(cases.map(\.to).filter { !$0.isNull }.map(\.archivedType))
      self.otherwise = otherwise
    }

    func resultType(from type: AttributeType) -> AttributeType {
      let types = otherwise == .keep ? types.union([type]) : types
      return types.count > 1 ? .mixed : types.first ?? .unknown
    }

    func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
      let key = Key(value)
      if let result = results[key] ?? key.counterpart.flatMap({ results[$0] }) { return result }
      if value.isNull { return ConvertedValue(.null) }
      switch otherwise {
      case .error:
        throw ConversionFailure(.noCase, kind: value.kind)
      case .null:
        return ConvertedValue(.null, loss: ConvertedValue.Loss("no case, replaced by nil"))
      case .keep:
        let isTaken = taken.contains(key) || key.counterpart.map(taken.contains) == true
        return ConvertedValue(
          value, loss: isTaken ? ConvertedValue.Loss("other values map to the same one") : nil)
      }
    }
  }
}
