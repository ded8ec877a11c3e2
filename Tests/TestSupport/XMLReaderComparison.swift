import ArchiveReader

/// A property list in XML, read by both readers.
package struct XMLReaderComparison {
  /// What becomes of a list in the hands of the two.
  package enum Outcome: Equatable, Sendable {
    /// Both read the same.
    case equal
    /// The scanner leaves it to libxml2, which reads it.
    case handedOver
    /// libxml2 refuses it, and the scanner does not take it.
    case refused
    /// The two differ.
    case different(String)
  }

  /// What became of it.
  package private(set) var outcome = Outcome.equal

  /// Reads a list with the scanner and with libxml2.
  package init(_ bytes: some Collection<UInt8>) {
    let file = ByteStorage(bytes)
    // The scanner throws nothing.
    guard let scanned = try? PropertyList(file, with: .scanner) else {
      outcome = (try? PropertyList(file, with: .libxml2)) == nil ? .refused : .handedOver
      return
    }
    do throws(ArchiveError) {
      guard let parsed = try PropertyList(file, with: .libxml2) else { return }
      if let difference = Self.difference(scanned, parsed) { outcome = .different(difference) }
    } catch {
      outcome = .different("libxml2 refuses it: \(error)")
    }
  }

  private static func difference(_ first: PropertyList, _ second: PropertyList) -> String? {
    guard first.table.count == second.table.count else { return "the number of values" }
    guard first.forbiddenCharacters == second.forbiddenCharacters else {
      return "the number of control characters"
    }
    var open = [(first.top, second.top)]
    while let (one, other) = open.popLast() {
      let value = first.table.value(of: one)
      let otherValue = second.table.value(of: other)
      switch (value, otherValue) {
      case (.text(let text), .text(let otherText)):
        guard text.encoding == otherText.encoding,
          first.table.bytes(text.bytes).elementsEqual(second.table.bytes(otherText.bytes))
        else { return "a text" }
      case (.data(let data), .data(let otherData)):
        guard first.table.bytes(data).elementsEqual(second.table.bytes(otherData)) else {
          return "data"
        }
      case (.wideInteger(let offset), .wideInteger(let otherOffset)):
        guard first.table.wideInteger(at: offset) == second.table.wideInteger(at: otherOffset)
        else { return "a wide integer" }
      case (.real(let real), .real(let otherReal)), (.date(let real), .date(let otherReal)):
        guard real.bitPattern == otherReal.bitPattern else { return "a number" }
      case (.array(let run), .array(let otherRun)):
        guard run.count == otherRun.count else { return "the size of an array" }
        open += (0..<run.count).map { (first.table[run, $0], second.table[otherRun, $0]) }
      case (.dictionary(let keys, let values), .dictionary(let otherKeys, let otherValues)):
        guard keys.count == otherKeys.count else { return "the size of a dictionary" }
        for place in 0..<keys.count {
          open.append((first.table[keys, place], second.table[otherKeys, place]))
          open.append((first.table[values, place], second.table[otherValues, place]))
        }
      default:
        guard value == otherValue else { return "\(value.typeName) and \(otherValue.typeName)" }
      }
    }
    return nil
  }
}
