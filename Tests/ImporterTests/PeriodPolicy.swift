import Foundation
import Importer

/// The policy of the first article, line by line: doubles become decimals of two digits.
class PeriodPolicy: MigrationPolicy {
  /// A mapping that names the policy as the article does.
  static let mapping = """
    model: SAMPLES/Expenses.xcdatamodeld
    entities:
      TrackingPeriod:
        policy: SduTrackingPeriodMigration016To023
    """

  private var conversion: ValueConversion?

  required init() {}

  func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws {
    conversion = try ValueConversion([.decimal(scale: 2, rounding: .halfUp, notFinite: .error)])
  }

  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    let period = try manager.context.insert(into: mapping.destinationEntityName)
    for key in source.keys where key != "expenseTotal" {
      period[key] = try source.value(forKey: key)
    }
    period["expenseTotal"] = try decimal(from: source.value(forKey: "expenseTotal"))
    associate(source, with: period, for: mapping, manager)
  }

  /// The article's `decimalFromDouble:`.
  func decimal(from value: ImportValue) throws -> ImportValue {
    try conversion?.convert(value).value ?? .null
  }

  func associate(
    _ source: SourceInstance, with period: DestinationInstance, for mapping: MigrationMapping,
    _ manager: MigrationManager
  ) {
    manager.associate(source: source, with: period, for: mapping)
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
  override func associate(
    _ source: SourceInstance, with period: DestinationInstance, for mapping: MigrationMapping,
    _ manager: MigrationManager
  ) {}
}
