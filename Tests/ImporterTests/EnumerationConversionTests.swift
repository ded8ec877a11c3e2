import Foundation
import Importer
import Testing

@Suite("Enumerations")
struct EnumerationConversionTests {
  private static func convert(
    _ value: ImportValue, _ rules: ValueConversion.Rule...
  ) throws -> ConvertedValue {
    try ValueConversion(rules).convert(value)
  }

  private static let transactionTypes: [ValueConversion.Rule.Case] = [
    .init(from: .integer(0), to: .text("INCOME")), .init(from: .integer(1), to: .text("EXPENSE")),
  ]

  @Test(
    "An enumeration finds numbers by their value, whatever their kind",
    arguments: [
      (.integer(0), "INCOME"), (.integer(1), "EXPENSE"), (.real(1), "EXPENSE"),
      (.real(-0.0), "INCOME"), (.decimal(1), "EXPENSE"), (.bool(true), "EXPENSE"),
      (.bool(false), "INCOME"),
    ] as [(ImportValue, String)])
  func enumeration(value: ImportValue, text: String) throws {
    #expect(
      try Self.convert(value, .enumeration(Self.transactionTypes, otherwise: .error))
        == ConvertedValue(.text(text)))
  }

  @Test("A value without a case is an error, nothing, or stays")
  func otherwise() throws {
    for value in [ImportValue.integer(7), .text("0"), .real(.nan), .date(.now)] {
      #expect(throws: ConversionFailure(.noCase, kind: value.kind)) {
        try Self.convert(value, .enumeration(Self.transactionTypes, otherwise: .error))
      }
    }
    let replaced = try Self.convert(
      .integer(7), .enumeration(Self.transactionTypes, otherwise: .null))
    #expect(replaced.value == .null)
    #expect(replaced.loss?.reason == "no case, replaced by nil")
    #expect(
      try Self.convert(.integer(7), .enumeration(Self.transactionTypes, otherwise: .keep))
        == ConvertedValue(.integer(7)))
    // The text could have been a 0.
    let kept = try Self.convert(
      .text("INCOME"), .enumeration(Self.transactionTypes, otherwise: .keep))
    #expect(kept.value == .text("INCOME"))
    #expect(kept.loss?.reason == "other values map to the same one")
  }

  @Test("Nil stays nil, unless it has a case")
  func null() throws {
    #expect(
      try Self.convert(.null, .enumeration(Self.transactionTypes, otherwise: .error))
        == ConvertedValue(.null))
    let cases = Self.transactionTypes + [.init(from: .null, to: .text("UNKNOWN"))]
    #expect(
      try Self.convert(.null, .enumeration(cases, otherwise: .error))
        == ConvertedValue(.text("UNKNOWN")))
    let rules: [ValueConversion.Rule] = [.uuid, .url, .json, .text, .boolean, .integer, .double]
    for rule in rules { #expect(try Self.convert(.null, rule) == ConvertedValue(.null)) }
  }

  @Test("Texts are found scalar by scalar, and values that become the same are noted")
  func texts() throws {
    let rule = ValueConversion.Rule.enumeration(
      [
        .init(from: .text("\u{E9}"), to: .integer(1)), .init(from: .text("e"), to: .integer(2)),
        .init(from: .text("E"), to: .integer(2)),
      ], otherwise: .error)
    #expect(try Self.convert(.text("\u{E9}"), rule) == ConvertedValue(.integer(1)))
    #expect(throws: ConversionFailure(.noCase, kind: "text")) {
      try Self.convert(.text("e\u{301}"), rule)
    }
    #expect(try Self.convert(.text("E"), rule).loss?.reason == "other values map to the same one")
  }

  @Test(
    "Cases that cannot be told apart, or that are for no plain value, are errors",
    arguments: [
      ([], .noCases), ([.integer(1), .real(1)], .sameCase), ([.text("a"), .text("a")], .sameCase),
      ([.list([])], .badCase), ([.real(.nan)], .badCase),
    ] as [([ImportValue], ConversionRuleError.Code)])
  func badCases(values: [ImportValue], code: ConversionRuleError.Code) {
    let cases = values.map { ValueConversion.Rule.Case(from: $0, to: .null) }
    let error = #expect(throws: ConversionRuleError.self) {
      try ValueConversion([.text, .enumeration(cases, otherwise: .error)])
    }
    #expect(error?.code == code)
    #expect(error?.rule == 1)
  }

  @Test("A boolean is told from the number that it counts as")
  func booleansAndNumbers() throws {
    let rule = ValueConversion.Rule.enumeration(
      [.init(from: .integer(1), to: .text("one")), .init(from: .bool(true), to: .text("yes"))],
      otherwise: .error)
    #expect(try Self.convert(.bool(true), rule).value == .text("yes"))
    #expect(try Self.convert(.integer(1), rule).value == .text("one"))
  }
}
