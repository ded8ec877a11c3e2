import Importer
import TestSupport
import Testing

@Suite("Mapping files")
struct MappingReaderTests {
  private func mapping(_ yaml: String) throws -> Mapping {
    try Mapping(yaml: yaml, path: "m.yaml")
  }

  /// The attribute that a block or a short form makes.
  private func attribute(_ yaml: String) throws -> AttributeMapping {
    let mapping = try mapping("entities: {E: {attributes: {a: \(yaml)}}}")
    return try #require(mapping.entities.first?.attributes.first)
  }

  private func steps(_ yaml: String) throws -> [ValueConversion.Rule] {
    try attribute("{convert: \(yaml)}").conversions.map(\.value)
  }

  // MARK: Whole files

  @Test("can say something about everything")
  func sample() throws {
    var mapping = try mapping(MappingSample.yaml)
    let form = try #require(mapping.entities[0].collections[0].form)
    #expect(
      "\(form)" == """
        ValueCollection(name: "scores", key: "all.scores", isOrdered: true, \
        keyType: Optional(DataModel.AttributeType.string), hasReferencesAsKeys: false, \
        valueType: Optional(DataModel.AttributeType.integer), hasReferencesAsValues: true, \
        holdsNegativeZero: true, distinguishesEmpty: true)
        """)
    mapping.entities[0].collections[0].form = nil
    #expect(mapping == MappingSample.mapping)
  }

  @Test(
    "may say nothing",
    arguments: ["", "\n", "# nothing\n", "---\n...\n", "~", "null", "{}", "\u{FEFF}", "entities:"])
  func nothing(yaml: String) throws {
    #expect(try mapping(yaml) == Mapping())
    let folder = try TemporaryFolder()
    #expect(try Mapping(contentsOf: folder.write(yaml, to: "m.yaml")) == Mapping())
  }

  @Test(
    "may have byte order marks in names, also in front, as escape sequences",
    arguments: [
      (#""\uFEFFa""#, "\u{FEFF}a"), (#""\ufeff\uFEFFa""#, "\u{FEFF}\u{FEFF}a"),
      (#""\U0000FEFFa""#, "\u{FEFF}a"), (#""\U0000feff""#, "\u{FEFF}"),
      (#""a\uFEFF*""#, "a\u{FEFF}*"), (#"!!str "\uFEFFa""#, "\u{FEFF}a"),
      (#"&x "\uFEFFa""#, "\u{FEFF}a"),
      // Here they are no escape sequences.
      (#"'\uFEFFa'"#, #"\uFEFFa"#), (#"'\ufeff*'"#, #"\ufeff*"#), (#""\\uFEFFa""#, #"\uFEFFa"#),
      (#"\U0000feff"#, #"\U0000feff"#),
    ])
  func byteOrderMarks(yaml: String, name: String) throws {
    let found = try mapping("classes: {\(yaml): N, M: M}").classes
    #expect(
      found.map(\.className.value).map { Array($0.utf8) } == [name, "M"].map { Array($0.utf8) })
  }

  @Test("tell names apart that differ in byte order marks")
  func distinctMarks() throws {
    let found = try mapping(#"entities: {E: {attributes: {a: , "\uFEFFa": , "\ufeff\uFEFFa": }}}"#)
    #expect(
      found.entities[0].attributes.map { Array($0.name.value.unicodeScalars.map(\.value)) } == [
        [0x61], [0xFEFF, 0x61], [0xFEFF, 0xFEFF, 0x61],
      ])
    let error = #expect(throws: MappingError.self) {
      try mapping(#"entities: {E: {attributes: {"\uFEFFa": , "\ufeffa": }}}"#)
    }
    #expect(error.map { Array("\($0)".unicodeScalars).contains("\u{FEFF}") } == true)
  }

  @Test("may be JSON, and may have lines that end as on other systems")
  func otherForms() throws {
    let expected = Mapping(
      entities: [
        .of("E") { $0.attributes = [.of("a", .keyPath(["b"])), .of("c", .keyPath(["c"]))] }
      ])
    for yaml in [
      #"{"entities": {"E": {"attributes": {"a": "b", "c": {}}}}}"#,
      "entities:\r\n  E:\r\n    attributes:\r\n      a: b\r\n      c:\r\n",
      "entities:\r  E:\r    attributes:\r      a: b\r      c:\r",
      "\u{FEFF}%YAML 1.2\n---\nentities: !!map {E: {attributes: {a: !!str b, ? c}}}\n...\n",
    ] {
      #expect(try mapping(yaml) == expected)
    }
  }

  @Test("keep the places of names and values")
  func marks() throws {
    let mapping = try mapping(
      """
      model: "a.mom"
      classes:
        K: Note
      entities:
        Event:
          where: a == 1
          identity:
          - x
          - y
          attributes:
            a: {from: b, convert: [uuid, {decimal: {scale: 1}}]}
            c: d
            é😀: {expression: e + 1}
            g:
      """)
    func place(_ mark: SourceMark?) -> String { mark.map { "\($0.line):\($0.column)" } ?? "-" }
    let event = try #require(mapping.entities.first)
    #expect(place(mapping.model?.mark) == "1:8")
    #expect(mapping.classes.map { place($0.className.mark) } == ["3:3"])
    #expect(place(event.entity.mark) == "5:3")
    #expect(place(event.filter?.mark) == "6:12")
    #expect(event.identity.map { place($0.mark) } == ["8:7", "9:7"])
    #expect(event.attributes.map { place($0.name.mark) } == ["11:7", "12:7", "13:7", "14:7"])
    #expect(event.attributes.map { place($0.source.mark) } == ["11:17", "12:10", "13:24", "14:7"])
    #expect(event.attributes[0].conversions.map { place($0.mark) } == ["11:30", "11:36"])
  }

  @Test("may name things as YAML names its values")
  func oddNames() throws {
    let mapping = try mapping(
      "entities: {E: {attributes: {null: x, 5: x, true: x, ~: x, 'a b': x}}}")
    #expect(
      mapping.entities.first?.attributes.map(\.name.value) == ["null", "5", "true", "~", "a b"])
  }

  @Test("may say something once and refer to it with aliases")
  func aliases() throws {
    let mapping = try mapping(
      """
      entities:
        A: &block
          attributes: {a: &key "x * y", b: *key}
          unread: '*key'
        B: *block
        &c C: {from: *c , where: "a*b == 2 *c"}
      """)
    let names = ["a", "b"].map { AttributeMapping.of($0, .keyPath(["x * y"])) }
    let blocks = ["A", "B"].map { name in
      EntityMapping.of(name) {
        $0.attributes = names
        $0.unread = [Marked("*key")]
      }
    }
    let filter = try FilterPredicate(parsing: "a*b == 2 *c")
    let last = EntityMapping.of("C") {
      $0.sources = [Marked("C")]
      $0.filter = Marked(filter)
    }
    #expect(mapping.entities == blocks + [last])
  }

  // MARK: Values

  @Test(
    "read constants as the core schema of YAML 1.2 has them",
    arguments: [
      ("null", .null), ("~", .null), ("NULL", .null), ("", .null), ("nUll", .text("nUll")),
      ("true", .bool(true)), ("False", .bool(false)), ("yes", .text("yes")), ("on", .text("on")),
      ("0", .integer(0)), ("-12", .integer(-12)), ("+7", .integer(7)), ("007", .integer(7)),
      ("0x1F", .integer(31)), ("0o17", .integer(15)), ("0o18", .text("0o18")),
      ("0x", .text("0x")), ("0x-1", .text("0x-1")), ("0b1", .text("0b1")),
      ("1_000", .text("1_000")),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("1.0", .real(1)), ("1.", .real(1)), (".5", .real(0.5)), ("-1.5e3", .real(-1500)),
      ("1e3", .real(1000)), ("1E-2", .real(0.01)), ("e5", .text("e5")), ("1e", .text("1e")),
      ("1e+", .text("1e+")), (".", .text(".")), ("+.", .text("+.")),
      ("1.2.3", .text("1.2.3")), (".inf", .real(.infinity)), ("-.Inf", .real(-.infinity)),
      ("inf", .text("inf")), ("nan", .text("nan")), ("2011-01-01", .text("2011-01-01")),
      ("2011-01-01T00:00:00Z", .text("2011-01-01T00:00:00Z")), ("1:30", .text("1:30")),
      ("'5'", .text("5")), ("\"true\"", .text("true")), ("''", .text("")), ("!!str 5", .text("5")),
      ("! 5", .text("5")), ("'a*b'", .text("a*b")), ("١", .text("١")),
    ] as [(String, ImportValue)])
  func constants(yaml: String, value: ImportValue) throws {
    let mapping = try mapping("entities:\n  E:\n    attributes:\n      a:\n        value: \(yaml)")
    #expect(mapping.entities[0].attributes[0].source.value == .constant(value))
  }

  @Test("read NaN, and the sign of zero")
  func oddNumbers() throws {
    guard case .constant(.real(let nan)) = try attribute("{value: .nan}").source.value,
      case .constant(.real(let zero)) = try attribute("{value: -0.0}").source.value
    else {
      Issue.record("no real numbers")
      return
    }
    #expect(nan.isNaN)
    #expect(zero.sign == .minus)
  }

  // MARK: Conversions

  @Test(
    "name the steps of a conversion",
    arguments: [
      ("decimal", [.decimal(scale: nil, rounding: .halfUp, notFinite: .error)]),
      ("{decimal: }", [.decimal(scale: nil, rounding: .halfUp, notFinite: .error)]),
      (
        "{decimal: {scale: -2, rounding: floor, notFinite: null}}",
        [.decimal(scale: -2, rounding: .floor, notFinite: .null)]
      ),
      (
        "{decimalText: 2}",
        [.decimalText(scale: 2, rounding: .halfUp, decimalSeparator: ".")]
      ),
      (
        "{decimalText: {scale: 0, rounding: halfEven, decimalSeparator: ','}}",
        [.decimalText(scale: 0, rounding: .halfEven, decimalSeparator: ",")]
      ),
      ("number", [.number(kind: .decimal, decimalSeparator: ".", groupingSeparator: nil)]),
      (
        "{number: {type: double, decimalSeparator: ',', groupingSeparator: ' '}}",
        [.number(kind: .double, decimalSeparator: ",", groupingSeparator: " ")]
      ),
      ("dateText", [.dateText(form: .iso8601, locale: "en_US_POSIX", timeZone: "UTC")]),
      ("{dateText: {}}", [.dateText(form: .iso8601, locale: "en_US_POSIX", timeZone: "UTC")]),
      (
        "{dateText: {dateStyle: medium, timeStyle: short, locale: en_US, timeZone: Europe/Berlin}}",
        [
          .dateText(
            form: .styles(date: .medium, time: .short), locale: "en_US", timeZone: "Europe/Berlin")
        ]
      ),
      (
        "{dateText: {timeStyle: full, locale: DE-de}}",
        [.dateText(form: .styles(date: .none, time: .full), locale: "de_DE", timeZone: "UTC")]
      ),
      (
        "{dateText: {pattern: yyyy, locale: en_jp}}",
        [
          .dateText(
            form: .pattern("yyyy"), locale: "en_JP", timeZone: "UTC")
        ]
      ),
      ("{dateNumber: 1970}", [.dateNumber(since: .unix)]),
      ("{dateNumber: {since: 2001}}", [.dateNumber(since: .reference)]),
      ("date", [.dateFromText(form: .iso8601, locale: "en_US_POSIX", timeZone: "UTC")]),
      (
        "{date: {pattern: yyyy-MM-dd, timeZone: GMT}}",
        [.dateFromText(form: .pattern("yyyy-MM-dd"), locale: "en_US_POSIX", timeZone: "GMT")]
      ),
      ("{date: {since: 1970}}", [.dateFromNumber(since: .unix)]),
      (
        "{date: {since: 2001, unit: bySize, zero: null}}",
        [.dateFromNumber(since: .reference, unit: .bySize, zero: .null)]
      ),
      (
        "{enum: {0: INCOME, '0': 5, true: false, else: error, 'else': null}}",
        [
          .enumeration(
            [
              .init(from: .integer(0), to: .text("INCOME")),
              .init(from: .text("0"), to: .integer(5)),
              .init(from: .bool(true), to: .bool(false)), .init(from: .text("else"), to: .null),
            ], otherwise: .error)
        ]
      ),
      (
        "{enum: {a: b, else: keep}}",
        [.enumeration([.init(from: .text("a"), to: .text("b"))], otherwise: .keep)]
      ),
      ("[]", []), ("[text, {uuid: {}}, json]", [.text, .uuid, .json]),
      ("[url, boolean, integer, double, archive]", [.url, .boolean, .integer, .double, .archive]),
    ] as [(String, [ValueConversion.Rule])])
  func conversions(yaml: String, rules: [ValueConversion.Rule]) throws {
    #expect(try steps(yaml) == rules)
  }

  @Test("know all types of attributes", arguments: AttributeType.allCases)
  func types(type: AttributeType) throws {
    #expect(try attribute("{type: \(type.rawValue)}").type == type)
  }
}
