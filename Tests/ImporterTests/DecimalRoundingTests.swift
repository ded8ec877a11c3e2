import Foundation
import Importer
import TestSupport
import Testing

@Suite("Rounding of decimals")
struct DecimalRoundingTests {
  private static let roundings: [ValueConversion.Rounding] = [
    .halfUp, .halfDown, .halfEven, .up, .down, .ceiling, .floor,
  ]

  @Test(
    "Each rounding has its own answer for halves and signs",
    arguments: [
      ("2.5", ["3", "2", "2", "3", "2", "3", "2"]),
      ("-2.5", ["-3", "-2", "-2", "-3", "-2", "-2", "-3"]),
      ("3.5", ["4", "3", "4", "4", "3", "4", "3"]),
      ("2.51", ["3", "3", "3", "3", "2", "3", "2"]),
      ("2.49", ["2", "2", "2", "3", "2", "3", "2"]),
      ("0.5", ["1", "0", "0", "1", "0", "1", "0"]),
      ("-0.5", ["-1", "0", "0", "-1", "0", "0", "-1"]),
      ("0.05", ["0", "0", "0", "1", "0", "1", "0"]),
      ("-0.05", ["0", "0", "0", "-1", "0", "0", "-1"]),
      ("99.5", ["100", "99", "100", "100", "99", "100", "99"]),
      ("7", ["7", "7", "7", "7", "7", "7", "7"]), ("0", ["0", "0", "0", "0", "0", "0", "0"]),
    ])
  func table(text: String, results: [String]) throws {
    for (rounding, result) in zip(Self.roundings, results) {
      #expect(try Self.round(text, 0, rounding) == result, "\(rounding)")
    }
  }

  @Test("Random numbers are rounded as by hand, digit by digit")
  func random() throws {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<3_000 {
      let wholeCount = Int.random(in: 1...12, using: &random)
      let fractionCount = Int.random(in: 0...12, using: &random)
      // Few different digits, so that there are many halves and carries.
      let digits = (0..<wholeCount + fractionCount).map { _ in "0459".randomElement(using: &random)
      }
      let whole = String(digits.prefix(wholeCount).compactMap { $0 })
      let fraction = String(digits.dropFirst(wholeCount).compactMap { $0 })
      let sign = Bool.random(using: &random) ? "-" : ""
      let scale = Int.random(in: 0...6, using: &random)
      let text = sign + whole + (fraction.isEmpty ? "" : "." + fraction)
      for rounding in Self.roundings {
        let expected = Self.byHand(
          whole, fraction, isNegative: sign == "-", scale: scale, rounding)
        #expect(try Self.round(text, scale, rounding) == expected, "\(text) \(scale) \(rounding)")
      }
    }
  }

  private static func round(
    _ text: String, _ scale: Int, _ rounding: ValueConversion.Rounding
  ) throws -> String {
    let conversion = try ValueConversion([
      .decimal(scale: scale, rounding: rounding, notFinite: .error), .text,
    ])
    guard case .text(let result) = try conversion.convert(.text(text)).value else { return "" }
    return result
  }

  /// Rounds on the texts alone: the digits that are dropped are compared with "5000…", and one is
  /// added to the text of the digits that stay.
  private static func byHand(
    _ whole: String, _ fraction: String, isNegative: Bool, scale: Int,
    _ rounding: ValueConversion.Rounding
  ) -> String {
    let padded = fraction + String(repeating: "0", count: 12)
    var kept = whole + padded.prefix(scale)
    let dropped = String(padded.dropFirst(scale))
    let half = "5" + String(repeating: "0", count: dropped.count - 1)
    let isOdd = "13579".contains(kept.last ?? "0")
    let isSome = dropped.contains { $0 != "0" }
    let goesAway =
      switch rounding {
      case .halfUp: dropped >= half
      case .halfDown: dropped > half
      case .halfEven: dropped > half || dropped == half && isOdd
      case .up: isSome
      case .down: false
      case .ceiling: isSome && !isNegative
      case .floor: isSome && isNegative
      }
    if goesAway { kept = successor(of: kept) }
    var text = String(kept.dropLast(scale).drop { $0 == "0" })
    if text.isEmpty { text = "0" }
    var rest = String(kept.suffix(scale))
    while rest.hasSuffix("0") { rest.removeLast() }
    if !rest.isEmpty { text += "." + rest }
    return isNegative && text != "0" ? "-" + text : text
  }

  private static func successor(of digits: String) -> String {
    guard let last = digits.last else { return "1" }
    let rest = String(digits.dropLast())
    guard last != "9", let digit = last.wholeNumberValue else { return successor(of: rest) + "0" }
    return rest + String(digit + 1)
  }
}
