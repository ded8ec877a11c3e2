import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Values of Foundation's classes in hostile archives")
struct FoundationValueLimitTests {
  /// What the object at the root is: its class, or the JSON of a value.
  private func root(
    limits: ReadingLimits = .standard, classesReadAsObjects: Set<String> = [],
    _ make: (inout KeyedArchiveBuilder) -> PropertyListValue
  ) throws -> (text: String, nonconformingClasses: [String]) {
    let archive = try KeyedArchive(bytes: KeyedArchiveBuilder.archive(make).binary())
    let reader = archive.makeGraph(
      GraphOptions(limits: limits, classesReadAsObjects: classesReadAsObjects))
    let root = try #require(archive.roots.first)
    return (try reader.text(of: try reader.value(of: root)), reader.misfitNames)
  }

  @Test("stay objects where they refer to themselves")
  func cyclesAreObjects() throws {
    let (text, nonconformingClasses) = try root { builder in
      let slot = builder.reserve()
      let info = builder.dictionary(["again": slot.reference])
      return builder.fill(slot, className: "NSError", ["NSUserInfo": info])
    }
    #expect(text == "NSError#1")
    #expect(nonconformingClasses == ["NSError"])
  }

  /// Errors in one another's user info.
  private func nestedErrors(_ count: Int, _ builder: inout KeyedArchiveBuilder)
    -> PropertyListValue
  {
    (0..<count).reduce(PropertyListValue.none) { inner, _ in
      builder.instance(of: "NSError", hierarchy: [], ["NSUserInfo": inner])
    }
  }

  @Test("may be as deep as the limit on chains, and no deeper")
  func depthIsLimited() throws {
    #expect(try root { nestedErrors(64, &$0) }.nonconformingClasses == [])
    #expect(try root { nestedErrors(65, &$0) }.nonconformingClasses == ["NSError"])
    #expect(
      try root(limits: ReadingLimits(chain: 3)) { nestedErrors(4, &$0) }.nonconformingClasses != [])
    // The stack grows neither with the file nor with the limit.
    let limits = ReadingLimits(chain: 1_000_000)
    #expect(try root(limits: limits) { nestedErrors(65, &$0) }.nonconformingClasses == ["NSError"])
    #expect(try root { nestedErrors(20_000, &$0) }.nonconformingClasses == ["NSError"])
  }

  @Test("are found too deep without being read again for each value that they are in")
  func deepValuesAreReadOnce() throws {
    let archive = try KeyedArchive(
      bytes: KeyedArchiveBuilder.archive { nestedErrors(20_000, &$0) }.binary())
    let reader = archive.makeGraph(GraphOptions(limits: ReadingLimits(expansion: 1)))
    var values = 0
    for uid in 1..<archive.objectCount {
      if case .foundation = try reader.value(ofObject: uid) { values += 1 }
    }
    #expect(values == 64)
    #expect(reader.misfitNames == ["NSError"])
  }

  /// Arrays in arrays, each of which holds the next one twice.
  private func doubling(_ levels: Int, _ builder: inout KeyedArchiveBuilder) -> PropertyListValue {
    (0..<levels).reduce(builder.string("x")) { inner, _ in builder.array([inner, inner]) }
  }

  @Test("do not grow when what they share doubles at each level")
  func sharingIsLimited() throws {
    for levels in [30, 60] {
      let (text, nonconformingClasses) = try root { builder in
        let value = doubling(levels, &builder)
        return builder.instance(of: "NSNotification", ["NS.object": value])
      }
      #expect(text.hasPrefix("NSNotification#"))
      #expect(nonconformingClasses == ["NSNotification"])
    }
    let (text, nonconformingClasses) = try root { builder in
      let value = doubling(3, &builder)
      return builder.instance(of: "NSNotification", ["NS.object": value])
    }
    #expect(
      text == #"{"class":"NSNotification","object":[[["x","x"],["x","x"]],[["x","x"],["x","x"]]]}"#)
    #expect(nonconformingClasses == [])
  }

  @Test("do not take long where many refer to one that is too large")
  func sharedFailuresAreRemembered() throws {
    var builder = KeyedArchiveBuilder()
    let bomb = doubling(40, &builder)
    let all = (0..<5_000).map { _ in
      builder.instance(of: "NSNotification", ["NS.object": bomb])
    }
    builder.setTop("root", builder.array(all))
    let archive = try KeyedArchive(bytes: builder.binary())
    let reader = archive.makeGraph(GraphOptions())
    var objects = 0
    for uid in 0..<archive.objectCount {
      if case .object = try reader.value(ofObject: uid) { objects += 1 }
    }
    #expect(objects == 5_000)
  }

  @Test("end in an error where an archive asks for the same again and again")
  func workIsLimited() throws {
    var builder = KeyedArchiveBuilder()
    // Each is light, so it is read wherever it stands.
    let light = builder.array(Array(repeating: builder.string("x"), count: 60))
    let all = (0..<4_000).map { _ in
      builder.instance(of: "NSNotification", ["NS.object": light, "NS.userinfo": light])
    }
    builder.setTop("root", builder.array(all))
    let archive = try KeyedArchive(bytes: builder.binary())
    func readAll(_ limits: ReadingLimits) throws(ArchiveError) {
      let reader = archive.makeGraph(GraphOptions(limits: limits))
      for uid in 0..<archive.objectCount { _ = try reader.value(ofObject: uid) }
    }
    try readAll(.standard)
    let error = #expect(throws: ArchiveError.self) {
      try readAll(ReadingLimits(expansion: 1))
    }
    #expect(error?.code == .expansion)
    #expect(error?.name == "1")
  }

  @Test("are read right when more of them are met than can be held")
  func forgettingIsHarmless() throws {
    var builder = KeyedArchiveBuilder()
    let limits = ReadingLimits(parts: 300)
    let lists = (0..<5).map { list in
      builder.array((0..<100).map { builder.string("\(list).\($0)") })
    }
    let all = (0..<30).map { builder.instance(of: "NSError", ["NSUserInfo": lists[$0 % 5]]) }
    builder.setTop("root", builder.array(all))
    let archive = try KeyedArchive(bytes: builder.binary())
    let reader = archive.makeGraph(GraphOptions(limits: limits))
    for (place, reference) in all.enumerated() {
      guard case .uid(let uid) = reference,
        let error = try reader.foundationValue(Int(uid)),
        case .array(let elements)? = error["userInfo"]
      else {
        Issue.record("\(place) is no error")
        continue
      }
      #expect(elements.count == 100)
      #expect(elements.last == .text("\(place % 5).99"))
    }
  }

  private static let counted: [Sketch] = {
    let numbers: [Sketch] = (0..<500).map { .number(Int64($0)) }
    let locales: [Sketch] = (0..<100).map {
      .object("NSLocale", ["NS.identifier": .entry(.string("l\($0)"))])
    }
    let text = Sketch.entry(.string(String(repeating: "x", count: 5_000)))
    let held: [Sketch] = [text, .data(Array(repeating: 7, count: 5_000)), .array(numbers)]
    return held.map { .object("NSNotification", ["NS.object": $0]) } + [
      .object("NSLocale", ["NS.identifier": "de"]),
      .object("NSColor", ["NSColorSpace": .inline(3), "NSWhite": .ascii("0.5 1\0")]),
      .object("NSNotification", ["NS.object": .array(locales)]),
    ]
  }()

  @Test("are counted at about the length of their JSON", arguments: counted.indices)
  func bytesAreCounted(index: Int) throws {
    let archive = try KeyedArchive(
      bytes: KeyedArchiveBuilder.archive { Self.counted[index].add(to: &$0) }.binary())
    let reader = archive.makeGraph(GraphOptions())
    let uid = try #require(archive.topLevel.first.flatMap { archive.table.uid(of: $0.node) })
    let length = try #require(try reader.foundationValue(uid)).json.utf8.count
    let count = try reader.foundationByteCount(uid)
    #expect((length / 3...length * 5).contains(count), "\(count) for \(length)")
  }

  @Test("count runs of attributes as often as they are written")
  func runsAreLimited() throws {
    func text(runs: Int, limits: ReadingLimits) throws -> [String] {
      try root(limits: limits) { builder in
        let attributes = builder.dictionary(["a": "1", "b": "2", "c": "3"])
        let slots = builder.array([attributes])
        let text = builder.string(String(repeating: "x", count: runs))
        let info = builder.data(Data((0..<runs).flatMap { _ in [1, 0] as [UInt8] }))
        return builder.instance(
          of: "NSAttributedString",
          ["NSString": text, "NSAttributes": slots, "NSAttributeInfo": info])
      }.nonconformingClasses
    }
    #expect(try text(runs: 100, limits: .standard) == [])
    #expect(try text(runs: 100, limits: ReadingLimits(parts: 850)) == [])
    #expect(try text(runs: 100, limits: ReadingLimits(parts: 700)) == ["NSAttributedString"])
  }

  @Test("do not repeat a text beyond the size of the file")
  func bytesAreLimited() throws {
    func text(_ count: Int) throws -> [String] {
      try root { builder in
        let text = builder.string(String(repeating: "x", count: 100_000))
        let texts = builder.array(Array(repeating: text, count: count))
        return builder.instance(of: "NSNotification", ["NS.object": texts])
      }.nonconformingClasses
    }
    #expect(try text(10) == [])
    #expect(try text(100) == ["NSNotification"])
  }

  @Test("stay objects where a text has half a surrogate pair")
  func surrogatesAreKept() throws {
    let (text, nonconformingClasses) = try root { builder in
      let half = builder.add(.utf16([0x61, 0xD83D]))
      return builder.instance(of: "NSAttributedString", ["NSString": half])
    }
    #expect(text == "NSAttributedString#2")
    #expect(nonconformingClasses == ["NSAttributedString"])
  }

  @Test("stay objects where a class in them is kept as objects")
  func opaqueClassesAreObjects() throws {
    func shadow(_ builder: inout KeyedArchiveBuilder) -> PropertyListValue {
      let color = builder.instance(
        of: "NSColor", ["NSColorSpace": 3, "NSWhite": .data(Data("0".utf8))])
      return builder.instance(of: "NSShadow", ["NSShadowColor": color])
    }
    #expect(try root { shadow(&$0) }.nonconformingClasses == [])
    #expect(try root(classesReadAsObjects: ["NSColor"]) { shadow(&$0) }.text.hasPrefix("NSShadow#"))
    // One that is asked to be an object is no misfit.
    #expect(try root(classesReadAsObjects: ["NSShadow"]) { shadow(&$0) }.nonconformingClasses == [])
  }

  @Test("end in an error where a reference leads nowhere, with its object and key")
  func danglingReferencesAreErrors() throws {
    let error = #expect(throws: ArchiveError.self) {
      try root { builder in
        let font = builder.instance(of: "NSFont", ["NSName": .uid(99)])
        return builder.instance(of: "NSNotification", ["NS.object": font])
      }
    }
    #expect(error?.code == .danglingReference)
    #expect(error?.position == .object(1, key: "NSName"))
  }

  @Test("are read only where the reader is asked to")
  func areOffByDefault() throws {
    let archive = try KeyedArchive(
      bytes: KeyedArchiveBuilder.archive { $0.instance(of: "NSLocale", ["NS.identifier": "a"]) }
        .binary())
    let reader = archive.makeGraph(GraphOptions(readsFoundationValues: false))
    #expect(try reader.text(of: try reader.value(ofObject: 1)) == "NSLocale#1")
    #expect(try reader.foundationValue(1) == nil)
    #expect(reader.misfitNames == [])
  }
}
