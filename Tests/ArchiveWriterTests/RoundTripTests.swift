import ArchiveWriter
import Foundation
import Testing

@Suite("Foundation reads what the writers write")
struct RoundTripTests {
  /// Values that both forms have.
  static let values: [PropertyListValue] = [
    true, false, 0, -1, .integer(.min), .integer(.max), 0.1, -0.0, 1e21, .float(1.5),
    .real(.leastNonzeroMagnitude), .real(.infinity), "", "<a> & \"b\"", "水 café 😀\n\ttab",
    .utf16([0xD83D, 0xDE00]),
    .data(Data()), .data(Data(0...255)), .date(327_793_920), [], [1, ["x"]], [:],
    ["k": ["n": 2], "é": [true]],
  ]

  @Test("in the binary form", arguments: values)
  func readsBinary(value: PropertyListValue) throws {
    try expect(BinaryPropertyListWriter().data(for: value), toBe: value, as: .binary)
  }

  @Test("in the XML form", arguments: values)
  func readsXML(value: PropertyListValue) throws {
    try expect(XMLPropertyListWriter().data(for: value), toBe: value, as: .xml)
  }

  @Test(
    "with every bit of a real number in the XML form",
    arguments: [0.1, 1.0 / 3, .pi, 123456789012345.678, .greatestFiniteMagnitude, .ulpOfOne, -0.0])
  func keepsReals(number: Double) throws {
    let bytes = try XMLPropertyListWriter().data(for: .real(number))
    let read = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    #expect((read as? NSNumber)?.doubleValue.bitPattern == number.bitPattern)
  }

  private func expect(
    _ bytes: Data, toBe value: PropertyListValue,
    as form: PropertyListSerialization.PropertyListFormat
  ) throws {
    var format = PropertyListSerialization.PropertyListFormat.openStep
    let read = try PropertyListSerialization.propertyList(from: bytes, format: &format)
    #expect(foundationObject(value).isEqual(read))
    #expect(format == form)
  }

  private func foundationObject(_ value: PropertyListValue) -> NSObject {
    switch value {
    case .bool(let flag): NSNumber(value: flag)
    case .integer(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .float(let number): NSNumber(value: number)
    case .string(let text): NSString(string: text)
    case .utf16(let units): NSString(string: String(decoding: units, as: UTF16.self))
    case .data(let bytes): NSData(data: bytes)
    case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
    case .array(let elements): NSArray(array: elements.map(foundationObject))
    case .dictionary(let pairs):
      NSDictionary(
        objects: pairs.map { foundationObject($0.value) },
        forKeys: pairs.map { NSString(string: $0.key) })
    case .null, .unsigned, .uid, .set: NSNull()
    }
  }
}
