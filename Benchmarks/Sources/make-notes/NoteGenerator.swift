import Foundation

/// Makes up folders and notes: a quarter of the texts is not ASCII, one note in ten has a price, an
/// identifier and a link, one in twenty an attachment.
struct NoteGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static let words = """
    alpha river stone bright kitchen ledger window paper morning signal garden theory music copper \
    winter orange market bridge letter number silent travel answer memory lesson grammar history
    """.split(separator: " ").map(String.init)
  private static let otherWords = [
    "café", "naïve", "übung", "Ångström", "日本語", "漢字カード", "привет", "слово", "ñandú", "straße",
    "😀", "한국어", "œuvre",
  ]
  private static let tags = [
    "exam", "home", "ideas", "math", "noun", "später", "todo", "travel", "verb", "work",
  ]

  mutating func number(_ range: ClosedRange<Int>) -> Int { random.number(range) }

  mutating func folder(_ number: Int, notes count: Int) -> Folder {
    Folder(
      name: "Folder \(number) \(text(4...20))", uniqueID: identifier().uuidString,
      createdAt: instant(), notes: (0..<count).map { note(rank: $0) })
  }

  /// Seconds since 2001 to the microsecond.
  mutating func instant() -> Double {
    Double(random.number(300_000_000_000_000...700_000_000_000_000)) / 1e6
  }

  private mutating func note(rank: Int) -> Note {
    var note = Note(
      uniqueID: identifier().uuidString, title: text(8...40), body: text(40...200),
      amount: Double(random.number(-100_000_000...100_000_000)) / 1000,
      isEditable: random.chance(80), rank: rank, createdAt: instant())
    let tags = Self.tags.filter { _ in random.chance(15) }
    if !tags.isEmpty { note.tags = tags.joined(separator: ",") }
    if random.chance(10) { note.price = price() }
    if random.chance(10) { note.syncID = identifier() }
    if random.chance(10) {
      note.link = "https://example.org/card/\(rank)?q=\(random.number(0...1_000_000_000))"
    }
    if random.chance(5) {
      note.attachment = Note.Attachment(
        bytes: Data(random.bytes(random.number(16...256))), isMutable: random.chance(20))
    }
    return note
  }

  private mutating func text(_ length: ClosedRange<Int>) -> String {
    let count = random.number(length)
    let isASCII = random.chance(75)
    var text = ""
    while text.utf16.count < count {
      if !text.isEmpty { text += " " }
      let words = isASCII || random.chance(85) ? Self.words : Self.otherWords
      text += words[random.number(0...words.count - 1)]
    }
    return text
  }

  private mutating func identifier() -> UUID {
    let b = random.bytes(16)
    return UUID(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]
      ))
  }

  /// A number with up to two digits behind the point, as short as it goes.
  private mutating func price() -> String {
    let cents = random.number(-1_000_000...9_000_000)
    let digits = String(cents.magnitude)
    let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    var fraction = padded.suffix(2)
    while fraction.last == "0" { fraction.removeLast() }
    return (cents < 0 ? "-" : "") + padded.dropLast(2) + (fraction.isEmpty ? "" : "." + fraction)
  }
}
