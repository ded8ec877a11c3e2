import Foundation
import Importer

// The code of Documentation/hooks.md that is not part of the example; `HooksPageTests` compares.

/// The type of a transaction, which was an object in the archives.
struct TransactionType: ImportValueHook {
  static let archivedClassNames = ["TransactionType"]

  static func value(from coder: ImportCoder) throws -> ImportValue {
    switch try coder.decodeInteger(forKey: "rawValue") {
    case 0: return "INCOME"
    case 1: return "EXPENSE"
    default: throw ImportError(.refused, name: "there is no such type of transaction")
    }
  }
}

/// Totals that were doubles become decimals of two digits, and their sum is checked at the end.
final class TotalsPolicy: MigrationPolicy {
  private var toCents: ValueConversion?
  private var sum = Decimal(0)

  func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws {
    toCents = try ValueConversion([.decimal(scale: 2, rounding: .halfUp, notFinite: .error)])
  }

  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    // What the mapping says comes first; this also associates the row with its source.
    let period = try manager.createDestinationInstances(forSource: source, in: mapping)
    let total = try toCents?.convert(source.value(forKey: "expenseTotal")).value
    period["expenseTotal"] = total ?? .null
    if let total: Decimal = period["expenseTotal"] { sum += total }
  }

  func performCustomValidation(
    forMapping mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    let rows = try manager.context.fetch(mapping.destinationEntityName)
    let stored = rows.compactMap { $0["expenseTotal"] as Decimal? }.reduce(0, +)
    guard stored == sum else { throw ImportError(.refused, name: "the totals do not add up") }
  }
}
