import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

/// Is found by the name of its module and its own.
private struct Hidden: KeyedDecodable {
  init(coder: KeyedCoder) throws {}
}

@Suite("The classes of an unarchiver")
struct ClassResolutionTests {
  private struct One: KeyedDecodable {
    static let archivedClassNames = ["One"]
    init(coder: KeyedCoder) throws {}
  }

  private struct Two: KeyedDecodable {
    static let archivedClassNames = ["Two"]
    init(coder: KeyedCoder) throws {}
  }

  /// Lets another type decode its objects.
  private struct Former: KeyedDecodable {
    static let archivedClassNames = ["Former"]
    static var classForKeyedUnarchiver: any KeyedDecodable.Type { Two.self }
    init(coder: KeyedCoder) throws {}
  }

  /// What the root of an archive is decoded as: an object of some class, with some keys and hints.
  private func root(
    of className: String, hints: [String] = [], _ pairs: [KeyValue] = [],
    configure: (inout UnarchivingOptions) -> Void = { _ in }
  ) throws -> String {
    let unarchiver = try KeyedUnarchiver.of(
      [One.self, Two.self, Former.self],
      { archive in
        var record: [KeyValue] = [
          KeyValue("$classname", .string(className)),
          KeyValue("$classes", .array([.string(className), "Base", "NSObject"])),
        ]
        if !hints.isEmpty {
          record.append(KeyValue("$classhints", .array(hints.map { .string($0) })))
        }
        let reference = archive.add(.dictionary(record))
        return archive.add(.dictionary(pairs + [KeyValue("$class", reference)]))
      }, configure: configure)
    do {
      return try unarchiver.coder.decodeTopLevelObject(forKey: "root")?.text ?? "nil"
    } catch let error as ArchiveError {
      return "!\(error)"
    }
  }

  @Test("are those of an instance's table, of the one for all, of the name, and then the hints")
  func order() throws {
    #expect(try root(of: "One") == "One")
    #expect(try root(of: "One") { $0.globalTranslation = ["One": "Two"] } == "Two")
    #expect(
      try root(of: "One") {
        $0.globalTranslation = ["One": "Two"]
        $0.translation.setClass(One.self, forClassName: "One")
      } == "One")
    #expect(try root(of: "One", hints: ["Two"]) == "One")
    #expect(try root(of: "Old", hints: ["Older", "Two", "One"]) == "Two")
    #expect(try root(of: "Former") == "Two")
    #expect(try root(of: "Old", hints: ["Former"]) == "Two")
    // A translation to what nobody knows changes nothing.
    #expect(try root(of: "One") { $0.translation = ["One": "Nobody"] } == "One")
  }

  @Test("end where translations and hints lead back to themselves")
  func loops() throws {
    #expect(
      try root(of: "Old", hints: ["Old", "Old"]) {
        $0.translation = ["Old": "Older", "Older": "Old"]
      } == "!no type is known for the class Old (top-level key root)")
    #expect(
      try root(of: "One") { $0.translation = ["One": "Two", "Two": "One"] } == "Two")
  }

  @Test("may have their archived name or the one in Swift")
  func swiftNames() throws {
    let mangled = "_TtCC6Garden5Plant4Leaf"
    let unarchiver = try KeyedUnarchiver.of([Leaf.self]) { archive in
      archive.instance(of: mangled, ["name": "leaf"])
    }
    #expect(try unarchiver.decodeRoot(of: Leaf.self)?.name == "leaf")
    #expect(try root(of: mangled) { $0.translation = ["Garden.Plant.Leaf": "One"] } == "One")
    #expect(try root(of: mangled) { $0.translation = [mangled: "Two"] } == "Two")
  }

  @Test("have their names with the module and without it, private ones as well")
  func ownNames() throws {
    #expect(Hidden.archivedClassNames == ["ArchiveReaderTests.Hidden", "Hidden"])
    #expect(
      Inner<Hidden>.archivedClassNames == [
        "ArchiveReaderTests.ClassResolutionTests.Inner<ArchiveReaderTests.Hidden>",
        "Inner<Hidden>",
      ])
    let mangled = "_TtC18ArchiveReaderTestsP33_0B4E7C1C8E2C1E0F8B8C1C4E6E3E5F3E6Hidden"
    for name in ["ArchiveReaderTests.Hidden", "Hidden", mangled] {
      let unarchiver = try KeyedUnarchiver.of([Hidden.self]) { $0.instance(of: name) }
      #expect(try unarchiver.decodeRoot(of: Hidden.self) != nil, "\(name)")
    }
  }

  private struct Inner<Content>: KeyedDecodable {
    init(coder: KeyedCoder) throws {}
  }

  @Test("may be of Foundation under another name")
  func foundation() throws {
    let time = [KeyValue("NS.time", 2.5)]
    #expect(try root(of: "MyDate", hints: ["NSDate"], time) == "date 2.5")
    #expect(try root(of: "MyDate", time) { $0.translation = ["MyDate": "NSDate"] } == "date 2.5")
    #expect(try root(of: "NSDate", time) == "date 2.5")
    #expect(try root(of: "NSDate", time) { $0.translation = ["NSDate": "One"] } == "One")
    #expect(
      try root(of: "MyDate", hints: ["NSDate"])
        == "!the object's keys do not match NSDate (object 2)")
    #expect(
      try root(of: "MyList", hints: ["NSArray"], [KeyValue("NS.objects", [.uid(0)])]) == "[nil]")
  }

  @Test("are told of where nobody knows them, and may be replaced")
  func unknown() throws {
    #expect(
      try root(of: "Stone", hints: ["Rock"])
        == "!no type is known for the class Stone (top-level key root)")
    let known = UnknownClass(
      name: "Stone", hierarchy: ["Stone", "Base", "NSObject"], hints: ["Rock"])
    func substituted(
      _ substitute: @escaping @Sendable () -> UnknownClass.Substitute?
    ) throws -> String {
      try root(of: "Stone", hints: ["Rock"]) {
        $0.substitute = { $0 == known ? substitute() : nil }
      }
    }
    #expect(try substituted { .type(Former.self) } == "Two")
    #expect(try substituted { .className("One") } == "One")
    #expect(try substituted { .value(.text("stone")) } == "'stone'")
    #expect(try substituted { .value(.null) } == "nil")
    #expect(
      try substituted { .className("Nobody") }
        == "!no type is known for the class Stone (top-level key root)")
    #expect(
      try substituted { nil } == "!no type is known for the class Stone (top-level key root)")
  }

  @Test("may be replaced by values, which are numbers to those who ask for numbers")
  func substitutedNumbers() throws {
    func outcomes(_ value: @escaping @Sendable () -> DecodedValue?) throws -> [String] {
      var options = UnarchivingOptions()
      options.substitute = { _ in value().map { .value($0) } }
      let probe = try Probe.with(options) { ["key": $0.instance(of: "Stone")] }
      return [
        probe.outcome { try $0.decodeInteger(forKey: "key") },
        probe.outcome { try $0.decodeBool(forKey: "key") },
        probe.outcome { try $0.decode(Int.self, forKey: "key") },
      ]
    }
    let decimal = try #require(Decimal(string: "-12"))
    let (followed, both) = ("~followedReference", "~convertedNumber ~followedReference")
    #expect(
      try outcomes { .integer(5) } == ["5 \(followed)", "true \(both)", "5 \(both)"])
    #expect(
      try outcomes { .decimal(decimal) } == ["-12 \(both)", "true \(both)", "!wrongKind"])
    #expect(
      try outcomes { .null } == ["0 \(followed)", "false \(followed)", "nil \(followed)"])
    #expect(try outcomes { .text("5") } == ["!wrongKind", "!wrongKind", "!wrongKind"])
    #expect(try outcomes { nil } == ["!unknownClass", "!unknownClass", "!unknownClass"])
  }

  @Test("are allowed with their subclasses, and others are named")
  func allowed() throws {
    let unarchiver = try KeyedUnarchiver.of([Root.self, Taproot.self, Leaf.self]) { archive in
      // What an archive says of superclasses allows nothing.
      let leaf = archive.instance(
        of: "Garden.Plant.Leaf", hierarchy: ["Garden.Plant.Leaf", "Root", "NSObject"])
      let taproot = archive.instance(of: "Taproot", ["depth": 1])
      for (key, value) in [
        ("leaf", leaf), ("taproot", taproot), ("text", archive.string("text")),
        ("number", archive.number(1)), ("decimal", try archive.decimal("1.5")),
        ("list", archive.array([taproot, leaf])), ("texts", archive.array(["a"])),
      ] {
        archive.setTop(key, value)
      }
      return .none
    }
    func found(_ key: String, _ classes: [AllowedClass]) -> String {
      do {
        let value = try unarchiver.coder.decodeTopLevelObject(ofClasses: classes, forKey: key)
        return value?.text ?? "nil"
      } catch let error as ArchiveError {
        return "!\(error.code.rawValue) \(error.name ?? "")"
      } catch {
        return "\(error)"
      }
    }
    #expect(found("taproot", ["Root"]) == "Taproot")
    #expect(found("taproot", [.type(Root.self)]) == "Taproot")
    #expect(found("taproot", ["Taproot"]) == "Taproot")
    #expect(found("leaf", ["Root"]) == "!classNotAllowed Garden.Plant.Leaf")
    #expect(found("leaf", []) == "!classNotAllowed Garden.Plant.Leaf")
    #expect(found("text", ["NSMutableString"]) == "'text'")
    #expect(found("text", ["NSNumber", "Root"]) == "!classNotAllowed NSString")
    #expect(found("decimal", ["NSNumber"]) == "decimal 1.5")
    #expect(found("number", ["NSDecimalNumber"]) == "!classNotAllowed NSNumber")
    #expect(found("texts", ["NSArray"]) == "!classNotAllowed NSString")
    #expect(found("texts", ["NSArray", "NSString"]) == "['a']")
    #expect(found("list", ["NSArray", "Root"]) == "!classNotAllowed Garden.Plant.Leaf")
    #expect(found("root", []) == "nil")
    #expect(
      throws: ArchiveError(.classNotAllowed, at: .topLevelKey("leaf"), name: "Garden.Plant.Leaf")
    ) {
      try unarchiver.decodeTopLevelObject(of: Root.self, forKey: "leaf")
    }
  }

  @Test("of Foundation are allowed by what they are, not by what an archive says of them")
  func allowedFoundation() throws {
    let unarchiver = try KeyedUnarchiver.of(
      [One.self],
      { archive in
        let color: KeyValuePairs<String, PropertyListValue> = [
          "NSColorSpace": 3, "NSWhite": .data(Data("0.5".utf8)),
        ]
        let zone: KeyValuePairs<String, PropertyListValue> = ["NS.name": archive.string("GMT")]
        for (key, value) in [
          ("color", archive.instance(of: "NSColor", hierarchy: ["NSColor", "NSFont"], color)),
          ("renamed", archive.instance(of: "MyColor", hierarchy: ["MyColor", "One"], color)),
          (
            "text",
            archive.instance(
              of: "NSMutableAttributedString", hierarchy: [],
              ["NSString": archive.string("a"), "NSAttributes": archive.dictionary([:])])
          ),
          ("zone", archive.instance(of: "NSTimeZone", hierarchy: ["NSTimeZone", "One"], zone)),
          (
            "filter",
            archive.instance(of: "NSTruePredicate", hierarchy: ["NSTruePredicate"])
          ),
        ] {
          archive.setTop(key, value)
        }
        return .none
      }, configure: { $0.translation = ["MyColor": "NSColor"] })
    func found(_ key: String, _ name: String) -> String {
      do {
        let value = try unarchiver.coder.decodeTopLevelObject(
          ofClasses: [.name(name)], forKey: key)
        guard case .foundation(let value)? = value else { return "another value" }
        return value.className
      } catch let error as ArchiveError {
        return "!\(error.code.rawValue) \(error.name ?? "")"
      } catch {
        return "\(error)"
      }
    }
    #expect(found("color", "NSColor") == "NSColor")
    #expect(found("color", "NSFont") == "!classNotAllowed NSColor")
    #expect(found("renamed", "NSColor") == "MyColor")
    #expect(found("renamed", "One") == "!classNotAllowed MyColor")
    #expect(found("text", "NSAttributedString") == "NSMutableAttributedString")
    #expect(found("text", "NSString") == "!classNotAllowed NSMutableAttributedString")
    #expect(found("zone", "NSObject") == "!classNotAllowed NSTimeZone")
    #expect(found("filter", "NSPredicate") == "NSTruePredicate")
    #expect(found("filter", "NSExpression") == "!classNotAllowed NSTruePredicate")
  }

  @Test("are allowed by the enclosing object's list where coding is secure")
  func secure() throws {
    /// Decodes whatever stands there, or what a list allows.
    final class Box: KeyedDecodable {
      static let archivedClassNames = ["Box"]
      let content: String

      init(coder: KeyedCoder) throws {
        if try coder.decodeBool(forKey: "lists") {
          content =
            try coder.decodeObject(of: Taproot.self, forKey: "content").map { $0.name } ?? ""
        } else {
          content = try coder.decodeObject(forKey: "content")?.text ?? "nil"
        }
      }
    }
    func content(
      _ isSecure: Bool, lists: Bool = false,
      _ make: (inout KeyedArchiveBuilder) -> PropertyListValue
    ) throws -> String {
      let unarchiver = try KeyedUnarchiver.of(
        [Box.self, Root.self, Taproot.self],
        { $0.instance(of: "Box", ["content": make(&$0), "lists": .bool(lists)]) },
        configure: { $0.requiresSecureCoding = isSecure })
      do {
        let box = try unarchiver.decodeRoot(of: Box.self)
        return box?.content ?? "nil"
      } catch let error as ArchiveError {
        return "!\(error.code.rawValue) \(error.name ?? "")"
      }
    }
    #expect(try content(false) { $0.instance(of: "Root") } == "Root")
    #expect(try content(true) { $0.instance(of: "Root") } == "!classNotAllowed Root")
    #expect(try content(true) { $0.instance(of: "Unknown") } == "!classNotAllowed Unknown")
    #expect(try content(true) { $0.array([1, "a"]) } == "[1, 'a']")
    #expect(try content(true) { $0.set([1]) } == "!classNotAllowed NSSet")
    #expect(try content(true) { $0.instance(of: "Box") } == "Box")
    #expect(
      try content(true, lists: true) { $0.instance(of: "Taproot", ["name": "in"]) } == "in")
    let unarchiver = try KeyedUnarchiver.of(
      [Root.self], { $0.instance(of: "Root") }, configure: { $0.requiresSecureCoding = true })
    #expect(throws: ArchiveError(.classNotAllowed, at: .topLevelKey("root"), name: "Root")) {
      try unarchiver.coder.decodeTopLevelObject(forKey: "root")
    }
  }

  @Test("may be described by records that refer to themselves, which are damage or names")
  func records() throws {
    func error(_ record: [KeyValue]) throws -> ArchiveError.Code? {
      let unarchiver = try KeyedUnarchiver.of([One.self]) { archive in
        let slot = archive.reserve()
        archive.fill(slot, with: .dictionary(record))
        return archive.add(["$class": slot.reference])
      }
      do {
        _ = try unarchiver.decodeRoot(of: One.self)
        return nil
      } catch let error as ArchiveError {
        return error.code
      }
    }
    let name = KeyValue("$classname", "One")
    #expect(try error([name, KeyValue("$classes", [.uid(1)])]) == .badClassHierarchy)
    #expect(try error([name, KeyValue("$classes", .uid(1))]) == .badClassHierarchy)
    #expect(try error([name, KeyValue("$classhints", [.uid(1)])]) == .badClassHierarchy)
    #expect(try error([KeyValue("$classname", .uid(1))]) == .noClassName)
    #expect(try error([KeyValue("$class", .uid(1))]) == .noClassName)
    #expect(try error([name, KeyValue("$class", .uid(1))]) == nil)
  }
}
