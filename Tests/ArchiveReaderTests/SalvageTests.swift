import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("What is left of a damaged archive")
struct SalvageTests {
  /// A box of three notes, each of which holds its box: entries 1 to 4, and what they hold.
  private static func box() -> KeyedArchiveBuilder {
    .archive { archive in
      let box = archive.reserve()
      let notes = ["one", "two", "three"].map { title in
        archive.instance(
          of: "Note",
          [
            "title": archive.string(title), "box": box.reference,
            "date": archive.date(secondsSince2001: Double(title.count)),
          ])
      }
      return archive.fill(
        box, className: "Box", ["notes": archive.array(notes), "name": archive.string("Notes")])
    }
  }

  /// The titles of the notes that can be read, whatever leads to them.
  private static func titles(_ archive: KeyedArchive) throws -> [String] {
    let reader = archive.makeGraph(GraphOptions(readsFoundationValues: false))
    var titles: [String] = []
    for uid in 0..<archive.objectCount {
      guard case .object(uid, let id) = try reader.value(ofObject: uid),
        reader.classes[id.index].name == "Note"
      else { continue }
      let note = try reader.object(uid)
      let place = try #require(reader.position(of: "title", in: note))
      titles.append(try reader.text(of: try reader.value(of: note, at: place)))
    }
    return titles
  }

  private static func losses(_ archive: KeyedArchive) -> [String] {
    archive.salvage?.losses.map { "\($0)" } ?? []
  }

  // MARK: Sound archives

  @Test("of a sound one is all of it, in both forms")
  func sound() throws {
    for bytes in [Array(Self.box().binary()), Array(try Self.box().xml())] {
      let archive = try KeyedArchive.salvage(bytes: bytes)
      #expect(archive.salvage == nil)
      #expect(archive.topLevelKeys == ["root"])
      #expect(try Self.titles(archive) == ["'one'", "'two'", "'three'"])
    }
  }

  @Test("of a real one is all of it", arguments: Repository.sampleArchives)
  func samples(path: String) throws {
    #expect(try KeyedArchive.salvage(contentsOf: path).salvage == nil)
  }

  // MARK: Files that are cut off

  @Test("is, of a binary file that is cut off anywhere, what stands before the cut")
  func cutBinary() throws {
    let bytes = Array(Self.box().binary())
    let whole = try KeyedArchive(bytes: bytes)
    var counts: Set<Int> = []
    for length in 0..<bytes.count {
      guard let archive = try? KeyedArchive.salvage(bytes: bytes.prefix(length)) else { continue }
      let salvage = try #require(archive.salvage)
      #expect(!salvage.losses.isEmpty)
      try Self.expectPart(archive, of: whole)
      counts.insert(try Self.titles(archive).count)
    }
    // The notes get lost one by one.
    #expect(counts == [0, 1, 2, 3])
  }

  @Test("is, of XML that is cut off anywhere, what stands before the cut")
  func cutXML() throws {
    let bytes = Array(try Self.box().xml())
    let whole = try KeyedArchive(bytes: bytes)
    var counts: Set<Int> = []
    for length in 0..<bytes.count - 1 {
      guard let archive = try? KeyedArchive.salvage(bytes: bytes.prefix(length)),
        archive.salvage != nil
      else { continue }
      try Self.expectPart(archive, of: whole)
      counts.insert(try Self.titles(archive).count)
    }
    #expect(counts == [0, 1, 2, 3])
  }

  /// Expects each entry that can be read to be what it was, or nil.
  private static func expectPart(_ part: KeyedArchive, of whole: KeyedArchive) throws {
    let (reader, wholeReader) = (
      part.makeGraph(GraphOptions(readsFoundationValues: false)),
      whole.makeGraph(GraphOptions(readsFoundationValues: false))
    )
    #expect(part.objectCount <= whole.objectCount)
    for uid in 0..<part.objectCount {
      let value = try reader.value(ofObject: uid)
      switch value {
      case .null: continue
      case .object:
        let (text, original) = try (
          reader.text(ofObject: uid), wholeReader.text(ofObject: uid)
        )
        // Whatever leads to a lost entry leads to nil.
        if !text.contains("nil") { #expect(text == original) }
      case .collection: _ = try reader.text(of: value)
      default:
        #expect(
          try reader.text(of: value)
            == wholeReader.text(of: try wholeReader.value(ofObject: uid)))
      }
    }
  }

  // MARK: Damages

  @Test("lacks the object whose class record is lost, and says so; what it held is kept")
  func classRecord() throws {
    let archive = try KeyedArchive.salvage(
      bytes: KeyedArchiveBuilder.archive { archive in
        let inner = archive.instance(of: "Inner", ["name": archive.string("kept")])
        let lost = archive.add([
          "$class": .uid(99), "inner": inner, "number": 1,
        ])
        return archive.instance(of: "Outer", ["lost": lost, "name": archive.string("outer")])
      }.binary())
    #expect(
      Self.losses(archive) == [
        "refers to object 99, which does not exist (object 4, key $class)"
      ])
    #expect(
      try archive.topTexts() == ["root: Outer#6", "salvaged object 2: Inner#2"])
    let reader = archive.makeGraph(GraphOptions(readsFoundationValues: false))
    #expect(try reader.text(ofObject: 6) == "Outer(lost: nil, name: 'outer')")
    #expect(try reader.text(ofObject: 2) == "Inner(name: 'kept')")
  }

  @Test("has nil for a reference that leads nowhere")
  func danglingReference() throws {
    let archive = try KeyedArchive.salvage(
      bytes: KeyedArchiveBuilder.archive { archive in
        archive.instance(of: "Note", ["a": .uid(70), "b": archive.array([.uid(71), .integer(1)])])
      }.binary())
    #expect(
      Self.losses(archive) == [
        "refers to object 71, which does not exist (object 2, key NS.objects)",
        "refers to object 70, which does not exist (object 4, key a)",
      ])
    let reader = archive.makeGraph(GraphOptions(readsFoundationValues: false))
    #expect(try reader.text(ofObject: 4) == "Note(a: nil, b: array(nil, 1))")
  }

  @Test("has what the lost top level led to, and cycles too")
  func lostTop() throws {
    let bytes = try Self.box().xml()
    let text = String(decoding: bytes, as: UTF8.self)
    let damaged = text.replacing("<key>$top</key>", with: "<key>$tip</key>")
    let archive = try KeyedArchive.salvage(bytes: damaged.utf8)
    #expect(
      Self.losses(archive) == [
        "not a valid keyed archive: $top is missing or is not a dictionary (top-level key $top)"
      ])
    #expect(archive.topLevelKeys == ["salvaged object 1"])
    #expect(try archive.topTexts() == ["salvaged object 1: Box#1"])
  }

  @Test("lacks a date whose seconds are damaged, while all others stay dates")
  func damagedValue() throws {
    let text = String(decoding: try Self.box().xml(), as: UTF8.self)
    let archive = try KeyedArchive.salvage(
      bytes: text.replacing("<real>5</real>", with: "<real>x</real>").utf8)
    #expect(archive.salvage?.losses.map(\.code) == [.badNumber])
    let reader = archive.makeGraph(GraphOptions(readsFoundationValues: false))
    #expect(try Self.titles(archive) == ["'one'", "'two'", "'three'"])
    var dates: [String] = []
    for uid in 0..<archive.objectCount {
      if case .date(let seconds) = try reader.value(ofObject: uid) { dates.append("\(seconds)") }
    }
    #expect(dates == ["3.0", "3.0"])
    #expect(reader.misfitNames == [])
  }

  // MARK: What is not salvaged

  @Test("lists a damaged offset once")
  func damagedOffset() throws {
    var bytes = Array(Self.box().binary())
    let trailer = bytes.count - 32
    let table = Int(bytes[trailer + 30]) << 8 | Int(bytes[trailer + 31])
    let last = trailer - Int(bytes[trailer + 6])
    try #require(table < last)
    for byte in last..<trailer { bytes[byte] = 0xFF }
    let archive = try KeyedArchive.salvage(bytes: bytes)
    #expect(
      Self.losses(archive).count { $0.contains("the offset table points outside") } == 1)
  }

  @Test("is nothing of a file whose entries all share one long object")
  func sharedObject() throws {
    var bytes = Array("bplist00".utf8)
    let count = 2_000
    // A text of 16,000 letters, the last of which is none of ASCII's.
    bytes += [0x5F, 0x11, 0x3E, 0x80, 0x0D] + [UInt8](repeating: 0x61, count: 15_998) + [0xFF]
    let table = bytes.count
    bytes += [UInt8](repeating: 8, count: count)
    bytes += [0, 0, 0, 0, 0, 0, 1, 2]
    for number in [UInt64(count), 0, UInt64(table)] {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    #expect(throws: ArchiveError.self) { try KeyedArchive.salvage(bytes: bytes) }
    // The reader itself refuses the same of a sound text.
    bytes[table - 1] = 0x61
    #expect {
      try KeyedArchive.salvage(bytes: bytes)
    } throws: { error in
      (error as? ArchiveError)?.code == .overlappingObjects
    }
  }

  @Test(
    "has nil for a reference in XML that is cut in two, and lists it",
    arguments: ["", "<key>CF$", "<key>CF$UID</key>", "<key>CF$UID</key><integer>"])
  func cutReference(rest: String) throws {
    let document = """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
      <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>2</integer></dict></dict>
      <key>$objects</key><array><string>$null</string>
      <dict><key>$classname</key><string>Note</string>
      <key>$classes</key><array><string>Note</string></array></dict>
      <dict><key>$class</key><dict><key>CF$UID</key><integer>1</integer></dict>
      <key>next</key><dict>
      """
    let archive = try KeyedArchive.salvage(bytes: Array((document + rest).utf8))
    let reader = archive.makeGraph(GraphOptions(readsFoundationValues: false))
    let note = try reader.object(2)
    let place = try #require(reader.position(of: "next", in: note))
    #expect(try reader.text(of: try reader.value(of: note, at: place)) == "nil")
    #expect(Self.losses(archive).contains { $0.hasSuffix("(object 2, key next)") })
  }

  @Test("is nothing of what never was an archive, or whose line ends were converted")
  func nothing() throws {
    for (bytes, code) in [
      ([], .empty), (Array("plain text".utf8), .notAnArchive),
      (Array("bplist00".utf8), .truncated),
      (Array("<plist><dict/></plist>".utf8), .notAnArchive),
    ] as [([UInt8], ArchiveError.Code)] {
      let error = #expect(throws: ArchiveError.self) { try KeyedArchive.salvage(bytes: bytes) }
      #expect(error?.code == code)
    }
  }

  @Test("is all of a file that is read without salvaging", arguments: [1, 2, 3] as [UInt64])
  func neverWorse(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let original = Array(Self.box().binary())
    let whole = try KeyedArchive(bytes: original)
    var readable = 0
    for _ in 0..<300 {
      let bytes = MutationTests.mutate(original, &random)
      guard let plain = try? KeyedArchive(bytes: bytes), Self.isReadable(plain) else { continue }
      readable += 1
      let salvaged = try KeyedArchive.salvage(bytes: bytes)
      #expect(salvaged.salvage == nil)
      #expect(salvaged.topLevelKeys == plain.topLevelKeys)
      #expect(salvaged.objectCount == plain.objectCount)
    }
    #expect(readable > 10 && whole.objectCount > 10)
  }

  /// Whether a run could read all that the top-level keys lead to.
  private static func isReadable(_ archive: KeyedArchive) -> Bool {
    let taker = archive.makeGraph(GraphOptions(readsFoundationValues: false))
    var open: [Int] = []
    var seen: Set<Int> = []
    func note(_ value: GraphValue) {
      if case .object(let uid, _) = value, seen.insert(uid).inserted { open.append(uid) }
    }
    do {
      var collections: [(CollectionID, CollectionKind)] = []
      var seenCollections: Set<CollectionID> = []
      func visit(_ value: GraphValue) {
        note(value)
        if case .collection(let id, let kind) = value, seenCollections.insert(id).inserted {
          collections.append((id, kind))
        }
      }
      for entry in archive.roots { visit(try taker.value(of: entry)) }
      while true {
        if let (id, kind) = collections.popLast() {
          let elements = try taker.elements(of: id, kind)
          for place in 0..<elements.count {
            if kind.isKeyed { visit(try taker.key(of: elements, at: place)) }
            visit(try taker.value(of: elements, at: place))
          }
        } else if let uid = open.popLast() {
          let object = try taker.object(uid)
          for place in 0..<object.keyCount {
            visit(try taker.value(of: object, at: place))
          }
        } else {
          return true
        }
      }
    } catch {
      return false
    }
  }

  @Test("is all of a file in which one entry of the offset table leads to another object")
  func wrongOffset() throws {
    let original = Array(Self.box().binary())
    let trailer = original.count - 32
    let (size, start) = (
      Int(original[trailer + 6]),
      Int(original[trailer + 30]) << 8
        | Int(original[trailer + 31])
    )
    let count = Int(original[trailer + 14]) << 8 | Int(original[trailer + 15])
    #expect(size == 2)
    for entry in 0..<count {
      var bytes = original
      // Into the middle of the frame.
      bytes[start + entry * size] = 0
      bytes[start + entry * size + 1] = 10
      let isWrong = bytes != original
      let archive = try KeyedArchive.salvage(bytes: bytes)
      guard isWrong, archive.salvage != nil else { continue }
      #expect(try Self.titles(archive) == ["'one'", "'two'", "'three'"])
    }
  }

  @Test(
    "is never a crash, and always sound itself",
    arguments: Thoroughness.some([1, 2, 3, 4] as [UInt64], oneIn: 2))
  func mutations(seed: UInt64) throws {
    let sample = try MutationTests.sample()
    var random = SeededGenerator(seed: seed)
    for original in [Array(sample.binary()), Array(try sample.xml())] {
      var salvaged = 0
      for _ in 0..<200 {
        let bytes = MutationTests.mutate(original, &random)
        guard let archive = try? KeyedArchive.salvage(bytes: bytes) else { continue }
        salvaged += 1
        let reader = archive.makeGraph(GraphOptions(readsFoundationValues: false))
        for uid in 0..<min(archive.objectCount, 2_000) {
          let value = try reader.value(ofObject: uid)
          _ = try reader.text(of: value)
          if case .object(let uid, _) = value { _ = try reader.text(ofObject: uid) }
        }
        for entry in archive.roots { _ = try reader.value(of: entry) }
      }
      #expect(salvaged > 100)
    }
  }
}
