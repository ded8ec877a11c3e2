import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Binary archives that went through a conversion of line ends")
struct LineEndDamageTests {
  enum Conversion: String, CaseIterable, Sendable {
    case returnsToFeeds
    case returnsRemoved
    case pairsToFeeds
    case feedsToPairs

    func apply(to bytes: [UInt8]) -> [UInt8] {
      var result: [UInt8] = []
      for (place, byte) in bytes.enumerated() {
        let isPair = byte == 0x0D && place + 1 < bytes.count && bytes[place + 1] == 0x0A
        switch self {
        case .returnsToFeeds: result.append(byte == 0x0D ? 0x0A : byte)
        case .returnsRemoved where byte == 0x0D: break
        case .pairsToFeeds where isPair: break
        case .feedsToPairs where byte == 0x0A: result += [0x0D, 0x0A]
        default: result.append(byte)
        }
      }
      return result
    }

    var words: String {
      switch self {
      case .returnsToFeeds, .returnsRemoved: "it has no 0x0D byte"
      case .pairsToFeeds: "bytes are missing, and no 0x0D precedes a 0x0A"
      case .feedsToPairs: "there are extra bytes, and a 0x0D precedes every 0x0A"
      }
    }
  }

  /// An archive of some notes with texts of Windows and of Unix.
  private static func archive(notes: Int) -> [UInt8] {
    Array(
      KeyedArchiveBuilder.archive { archive in
        let notes = (0..<notes).map { number in
          archive.instance(
            of: "Note",
            ["title": archive.string("Note \(number)\r\nof several\n"), "rank": .integer(13)])
        }
        return archive.array(notes)
      }.binary())
  }

  @Test("say so, wherever the damage shows first", arguments: Conversion.allCases, [30, 300])
  func areRecognised(conversion: Conversion, notes: Int) throws {
    let sound = Self.archive(notes: notes)
    #expect(ArchiveWalk(sound).errors == [])
    let damaged = conversion.apply(to: sound)
    #expect(damaged != sound)
    let errors = ArchiveWalk(damaged).errors
    let error = try #require(errors.first)
    #expect(error.code == .damagedLineEnds)
    #expect(error.name == conversion.words)
    #expect(error.position != nil)
  }

  @Test("say so in a small archive, too, where line feeds have grown")
  func areRecognisedWhenSmall() {
    let sound = Array(BinaryPropertyListWriter().data(for: ["a\nb", 1]))
    let damaged = Conversion.feedsToPairs.apply(to: sound)
    #expect(throws: ArchiveError.self) { try PropertyList(bytes: damaged) }
    #expect(ArchiveWalk(damaged).errors.first?.code == .damagedLineEnds)
  }

  @Test("are told from archives that are cut off, or damaged otherwise")
  func areToldFromOthers() {
    for notes in [3, 30] {
      let sound = Self.archive(notes: notes)
      for length in stride(from: 0, to: sound.count, by: max(1, sound.count / 100)) {
        #expect(
          ArchiveWalk(sound[..<length]).errors.map(\.code).contains(.damagedLineEnds) == false)
      }
      var random = SeededGenerator(seed: 7)
      for _ in 0..<100 {
        var bytes = sound
        bytes[Int.random(in: bytes.indices, using: &random)] ^= 0x40
        #expect(ArchiveWalk(bytes).errors.map(\.code).contains(.damagedLineEnds) == false)
      }
    }
  }

  @Test("are not taken for such where they only happen to hold no such byte")
  func areReadWhereNothingIsWrong() throws {
    let text = String(repeating: "no carriage return. ", count: 150)
    let bytes = Array(BinaryPropertyListWriter().data(for: [.string(text), 7]))
    #expect(!bytes.contains(0x0D))
    #expect(try PropertyList(bytes: bytes).content == [.string(text), 7])
  }

  @Test(
    "are none of the files of the corpus",
    arguments: ["keyed-binary", "keyed-xml", "typedstream", "hostile", "not-archives"])
  func areNotInTheCorpus(folder: String) throws {
    for file in Repository.corpusFiles(in: folder) {
      let codes = ArchiveWalk(try Data(contentsOf: URL(fileURLWithPath: file))).errors.map(\.code)
      #expect(!codes.contains(.damagedLineEnds), "\(file)")
    }
  }

  @Test(
    "are recognised in real archives as well",
    arguments: [Conversion.returnsToFeeds, .pairsToFeeds, .feedsToPairs])
  func areRecognisedInTheCorpus(conversion: Conversion) throws {
    var (changed, found, silent) = (0, 0, 0)
    for file in Repository.corpusFiles(in: "keyed-binary") {
      let sound = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
      let damaged = conversion.apply(to: sound)
      guard damaged != sound else { continue }
      changed += 1
      let errors = ArchiveWalk(damaged).errors
      if errors.isEmpty { silent += 1 }
      if errors.first?.code == .damagedLineEnds { found += 1 }
    }
    // What cannot be told are pairs in small files, and texts in which no number was hit.
    #expect(changed == 0 || 10 * (found + silent) >= 9 * changed, "\(found) of \(changed)")
  }
}
