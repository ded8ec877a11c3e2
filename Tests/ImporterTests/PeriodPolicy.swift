import Foundation
import Importer

@testable import migration_examples

/// The example's policy, for variants of it.
typealias PeriodPolicy = SduTrackingPeriodMigration016To023

extension PeriodPolicy {
  /// A mapping that names the policy as the article does.
  static var mapping: String {
    """
    model: SAMPLES/Expenses.xcdatamodeld
    entities:
      TrackingPeriod:
        policy: SduTrackingPeriodMigration016To023
    """
  }
}

/// The same with the article's formatter, whose texts are read by our conversion.
class FormatterPolicy: PeriodPolicy {
  class var locale: String { "en_US" }
  class var usesGroupingSeparator: Bool { true }
  /// How the text is read back: nil for the article's way, which takes a point and no grouping.
  class var separators: (decimal: String, grouping: String?)? { nil }

  override func decimal(from value: ImportValue) throws -> ImportValue {
    guard case .real(let number) = value else { return .null }
    let formatter = NumberFormatter()
    formatter.numberStyle = .decimal
    formatter.locale = Locale(identifier: Self.locale)
    formatter.maximumFractionDigits = 2
    formatter.roundingMode = .halfUp
    formatter.usesGroupingSeparator = Self.usesGroupingSeparator
    let text = formatter.string(from: NSNumber(value: number)) ?? ""
    let separators = Self.separators ?? (".", nil)
    let reading = try ValueConversion([
      .number(
        kind: .decimal, decimalSeparator: separators.decimal,
        groupingSeparator: separators.grouping)
    ])
    return try reading.convert(.text(text)).value
  }
}

/// Grouping left on, and read back as what it is.
final class GroupingPolicy: FormatterPolicy {
  override class var separators: (decimal: String, grouping: String?)? { (".", ",") }
}

/// The machine's locale is a German one, which the article does not think of.
final class GermanPolicy: FormatterPolicy {
  override class var locale: String { "de_DE" }
  override class var usesGroupingSeparator: Bool { false }
}

/// The German text, read back as what it is.
final class GermanReadingPolicy: FormatterPolicy {
  override class var locale: String { "de_DE" }
  override class var usesGroupingSeparator: Bool { false }
  override class var separators: (decimal: String, grouping: String?)? { (",", nil) }
}

/// `beginEntityMapping:` fails.
final class FailingBeginPolicy: PeriodPolicy {
  override func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws {
    throw ImportError(.cancelled, name: "no formatter")
  }
}

/// The call that the article says must not be forgotten is forgotten.
final class ForgetfulPolicy: PeriodPolicy {
  override func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    let period = try manager.context.insert(into: mapping.destinationEntityName)
    for key in source.keys { period[key] = try source.value(forKey: key) }
  }
}
