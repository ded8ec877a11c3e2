import ArchiveReader
import DataModel

/// Colours of AppKit and UIKit as text in the notation of CSS: "#FF8000", "#FF800080".
enum ColorText {
  /// Red, green and blue, or white alone, and how opaque the colour is.
  private struct Components {
    var numbers: [Double]
    var alpha: Double
    var loss: ConvertedValue.Loss?
  }

  /// The conversion of a colour, which fails for those that have neither red, green and blue nor
  /// white: patterns, CMYK, and names without a colour.
  static let step = ValueConversion.PlainStep(.string) { (value) throws(ConversionFailure) in
    guard case .foundation(let found) = value,
      let color = found.as(ArchivedColor.self).flatMap(components)
        ?? found.as(ArchivedUIColor.self).flatMap(components)
    else { throw ConversionFailure(.wrongKind, name: "the text of a colour", kind: value.kind) }
    var numbers = color.numbers
    if numbers.count == 1 { numbers += [numbers[0], numbers[0]] }
    if color.alpha != 1 { numbers.append(color.alpha) }
    guard numbers.allSatisfy(\.isFinite) else {
      throw ConversionFailure(.outOfRange, name: "colours", kind: value.kind)
    }
    let bytes = numbers.map { UInt8((min(max($0, 0), 1) * 255).rounded()) }
    // Archives keep components in single precision, or with ten digits.
    let isExact = zip(numbers, bytes).allSatisfy { Float($0) == Float(Double($1) / 255) }
    return ConvertedValue(
      .text("#" + bytes.map { hexadecimal($0) }.joined()),
      losses: color.loss,
      isExact ? nil : ConvertedValue.Loss("not exact in 8 bits per component"))
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + digits : digits
  }

  private static func components(_ color: ArchivedColor) -> Components? {
    let isNamed = color.kind == .named
    guard let shown = isNamed ? color.color?.as(ArchivedColor.self) : color else { return nil }
    var loss = isNamed ? nameLoss : nil
    switch shown.kind {
    case .calibratedRGB, .deviceRGB, .calibratedWhite, .deviceWhite: break
    case .deviceCMYK, .named, .pattern: return nil
    }
    guard let custom = shown.customComponents else {
      return shown.components.map { Components(numbers: $0, alpha: shown.alpha ?? 1, loss: loss) }
    }
    // Those of AppKit's own spaces are what the colour is nearest to.
    guard let alpha = custom.last, custom.count == 2 || custom.count == 4 else { return nil }
    loss = loss ?? ConvertedValue.Loss("colour space dropped")
    return Components(numbers: custom.dropLast(), alpha: alpha, loss: loss)
  }

  private static func components(_ color: ArchivedUIColor) -> Components? {
    let loss = color.systemColorName.map { _ in nameLoss }
    var numbers = [color.red, color.green, color.blue].compactMap(\.self)
    if numbers.count != 3 { numbers = color.white.map { [$0] } ?? [] }
    guard !numbers.isEmpty else { return nil }
    return Components(numbers: numbers, alpha: color.alpha ?? 1, loss: loss)
  }

  private static let nameLoss = ConvertedValue.Loss("name of the colour dropped")
}
