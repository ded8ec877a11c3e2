import Foundation
import Importer
import TestSupport
import Testing

@Suite("Errors in mapping files")
struct MappingErrorTests {
  /// The words of the error that a text leads to, a line for each problem.
  private func lines(_ yaml: String) -> [String] {
    do throws(MappingError) {
      _ = try Mapping(yaml: yaml, path: "m.yaml")
      return []
    } catch {
      return "\(error)".split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }
  }

  /// The same for a block in an entity, without the path, and with columns counted in the block.
  private func lines(inEntity yaml: String) -> [String] {
    lines("entities:\n  E:\n    \(yaml)").map { String($0.dropFirst("m.yaml:".count)) }
  }

  // MARK: Keys

  @Test("All problems are told, in the order of the file")
  func all() throws {
    let yaml = """
      modell: a.mom
      classes:
        A: 5
        B: {value: x, ignore: true}
      entities:
        E:
          atributes: {a: b}
          identity: 7
          relationships:
            r: {deleteRule: casade, minimum: -1}
          attributes:
            x: {from: a, value: 1, convert: {decimal: {rounding: halfup}}}
            y: {convert: decmal, optional: yes}
            z: [1]
      passes: 3
      """
    #expect(
      lines(yaml) == [
        "m.yaml:1:1: unknown key 'modell' in a mapping (did you mean 'model'?)",
        "m.yaml:3:6: expected the name of an entity, or a block with 'value', 'ignore', 'class' or 'fields', "
          + "found a number",
        "m.yaml:4:7: the keys 'value' and 'ignore' are mutually exclusive",
        "m.yaml:7:5: unknown key 'atributes' in an entity (did you mean 'attributes'?)",
        "m.yaml:8:15: expected a name or a list of names, found a number",
        "m.yaml:10:23: unknown value 'casade': expected noAction, nullify, cascade, deny "
          + "(did you mean 'cascade'?)",
        "m.yaml:10:40: expected a whole number from 0 to 2147483647, found another number",
        "m.yaml:12:20: the keys 'value' and 'from' are mutually exclusive",
        "m.yaml:12:60: unknown value 'halfup': expected halfUp, halfDown, halfEven, up, down, "
          + "ceiling, floor (did you mean 'halfUp'?)",
        "m.yaml:13:20: unknown value 'decmal': expected "
          + "\(MappingVocabulary.Words.conversion.words.joined(separator: ", ")) (did you mean 'decimal'?)",
        "m.yaml:13:38: expected true or false, found a text",
        "m.yaml:14:10: expected a key or a block of an attribute, found a list",
        "m.yaml:15:9: expected a list of passes, found a number",
      ])
    let error = try #require(throws: MappingError.self) {
      try Mapping(yaml: yaml, path: "m.yaml")
    }
    #expect(error.path == "m.yaml")
    #expect(error.omittedCount == 0)
    #expect(
      error.problems.first
        == MappingError.Problem(
          .unknownKey, at: SourceMark(line: 1, column: 1), name: "modell", expected: "a mapping",
          nearest: "model"))
  }

  @Test(
    "A wrong file is told with its place",
    arguments: [
      ("5", "1:1: expected a block of a mapping, found a number"),
      ("[]", "1:1: expected a block of a mapping, found an empty list"),
      ("? [a]\n: b", "1:3: expected a key, found a list"),
      ("model:", "1:7: expected a path, found nothing"),
      ("model: ''", "1:8: expected a path, found an empty text"),
      ("model: [a]", "1:8: expected a path, found a list"),
      ("model: true", "1:8: expected a path, found a boolean"),
      ("model: a\nmodel: b", "1:1: duplicate key 'model' in a block"),
      ("model: a\n'model': b", "2:1: duplicate key 'model' in a mapping"),
      ("classes: [a]", "1:10: expected a block of classes, found a list"),
      (
        "classes: {A: }",
        "1:14: expected the name of an entity, or a block with 'value', 'ignore', 'class' or 'fields', "
          + "found nothing"
      ),
      (
        "classes: {A: {}}",
        "1:14: expected the name of an entity, or a block with 'value', 'ignore', 'class' or 'fields', "
          + "found an empty block"
      ),
      ("classes: {A: {ignore: false}}", "1:23: expected true, found false"),
      ("classes: {A: {ignore: 1}}", "1:23: expected true or false, found a number"),
      ("classes: {A: {valeu: x}}", "1:15: unknown key 'valeu' in a class (did you mean 'value'?)"),
      (
        "classes: {A: {fields: [a], class: B}}",
        "1:28: the keys 'class' and 'fields' are mutually exclusive"
      ),
      ("classes: {A: {fields: a}}", "1:23: expected a list of names, found a text"),
      (
        "classes: {A: {fields: [1]}}",
        "1:24: expected the name of a field, or null, found a number"
      ),
      ("classes: {A: {fields: [a, [a]]}}", "1:28: duplicate key 'a' in a list of fields"),
      ("classes: {A: {fields: [a, a_2]}}", "1:27: duplicate key 'a_2' in a list of fields"),
      ("classes: {A: {fields: [a_2, a]}}", "1:29: duplicate key 'a' in a list of fields"),
      (
        "classes: {A: {fields: [v2]}}",
        "1:24: expected a name of its own, found the name of a position"
      ),
      (
        "classes: {A: {lists: [0]}}",
        "1:23: expected a whole number from 1 to 65535, found another number"
      ),
      ("classes: {A: {value: }}", "1:22: expected a key, found nothing"),
      ("entities: {'': {}}", "1:12: expected the name of an entity, found an empty text"),
      ("classes: {A: B, A: C}", "1:11: duplicate key 'A' in a block"),
      ("classes: {A: B, 'A': C}", "1:17: duplicate key 'A' in a block of classes"),
      ("entities: [E]", "1:11: expected a block of entities, found a list"),
      (
        "entities: {E: x}",
        "1:15: expected a block of an entity, or a list of such blocks, found a text"
      ),
      (
        "entities: {E: []}",
        "1:15: expected a block of an entity, or a list of such blocks, found an empty list"
      ),
      ("passes: [{entities: {}}]", "1:10: missing key 'name' in a pass"),
      ("passes: [x]", "1:10: expected a block of a pass, found a text"),
      (
        "passes:\n- name: a\n  entites: {}",
        "3:3: unknown key 'entites' in a pass (did you mean 'entities'?)"
      ),
      (
        "xyz: {}",
        "1:1: unknown key 'xyz' in a mapping, whose keys are model, modelDigest, stripPrefix, addPrefix, plainNames, seeThrough, records, pairs, foreignKeys, newestBy, classes, entities, passes, policies and views"
      ),
      (
        "\"a\\nb\\e\\u2028\": 1",
        "1:1: unknown key 'a\\u{a}b\\u{1b}\\u{2028}' in a mapping, whose keys are model, modelDigest, stripPrefix, addPrefix, plainNames, seeThrough, records, pairs, foreignKeys, newestBy, classes, entities, passes, policies and views"
      ),
      (
        "<<: {}",
        "1:1: unknown key '<<' in a mapping, whose keys are model, modelDigest, stripPrefix, addPrefix, plainNames, seeThrough, records, pairs, foreignKeys, newestBy, classes, entities, passes, policies and views"
      ),
      ("model: !!binary x", "1:8: unknown tag '!!binary'"),
      ("model: !<x:y> x", "1:8: unknown tag 'x:y'"),
      ("!!set {a}", "1:1: unknown tag '!!set'"),
      ("passes: !!omap []", "1:9: unknown tag '!!omap'"),
      ("model: *a", "1:8: unknown alias '*a': define the anchor '&a' before it"),
      ("&a {model: *a}", "1:12: unknown alias '*a': define the anchor '&a' before it"),
    ])
  func files(yaml: String, line: String) {
    #expect(lines(yaml) == ["m.yaml:\(line)"])
  }

  @Test(
    "A wrong entity is told with its place",
    arguments: [
      ["name: [a]", "3:11: expected a name, found a list"],
      [
        "from: [a, 5, '']", "3:15: expected a name, found a number",
      ],
      ["abstract: 1", "3:15: expected true or false, found a number"],
      ["where: true", "3:12: expected a predicate, found a boolean"],
      ["where: ''", "3:12: expected a predicate, found an empty text"],
      ["unread: {a: b}", "3:13: expected a name or a list of names, found a block"],
      ["attributes: [a]", "3:17: expected a block of attributes, found a list"],
      ["attributes: {a: 5}", "3:21: expected a key or a block of an attribute, found a number"],
      [
        "attributes: {a: b..c}",
        "3:21: expected a key on either side of a dot, found an empty text",
      ],
      ["attributes: {a: .b}", "3:21: expected a key on either side of a dot, found an empty text"],
      ["attributes: {a: {from: }}", "3:28: expected a key or a list of keys, found nothing"],
      [
        "attributes: {a: {from: []}}",
        "3:28: expected a key or a list of keys, found an empty list",
      ],
      ["attributes: {a: {from: [b, 1]}}", "3:32: expected a key, found a number"],
      ["attributes: {a: {value: [b]}}", "3:29: expected a plain value, found a list"],
      [
        "attributes: {a: {value: 9223372036854775808}}",
        "3:29: expected a 64-bit integer or a double, found a number out of range",
      ],
      [
        "attributes: {a: {default: 1e400}}",
        "3:31: expected a 64-bit integer or a double, found a number out of range",
      ],
      [
        "attributes: {a: {value: 1, expression: b}}",
        "3:32: the keys 'expression' and 'value' are mutually exclusive",
      ],
      ["attributes: {a: {minimum: x}}", "3:31: expected a number, found a text"],
      ["attributes: {a: {maximum: .inf}}", "3:31: expected a finite number, found another number"],
      [
        "attributes: {a: {minimum: 2, maximum: 1}}",
        "3:31: 'minimum' is greater than 'maximum' in an attribute",
      ],
      ["attributes: {a: {pattern: 5}}", "3:31: expected a regular expression, found a number"],
      [
        "attributes: {a: {type: strin}}",
        "3:28: unknown value 'strin': expected boolean, integer16, integer32, integer, float, "
          + "double, decimal, string, date, binary, uuid, uri, transformable, objectID, composite, "
          + "undefined, json, attributedText, mixed, unknown, integer64 (did you mean 'string'?)",
      ],
      [
        "attributes: {a: {toMany: true}}",
        "3:22: unknown key 'toMany' in an attribute, whose keys are from, value, expression, convert, type, optional, default, minimum, maximum, pattern and keepNegativeZero",
      ],
      [
        "relationships: {a: {value: 1}}",
        "3:25: unknown key 'value' in a relationship, whose keys are from, expression, to, into, by, split, trim, fold, mapping, toMany, ordered, inverse, deleteRule, optional, minimum, maximum and keepCount",
      ],
      [
        "relationships: {a: {to: B, into: C, by: d}}",
        "3:32: the keys 'into' and 'to' are mutually exclusive",
        "3:41: the keys 'by' and 'to' are mutually exclusive",
      ],
      ["relationships: {a: {into: B}}", "3:25: missing key 'by' in a relationship with 'into'"],
      [
        "relationships: {a: {split: ','}}", "3:25: missing key 'by' in a relationship with 'split'",
      ],
      [
        "relationships: {a: {by: b, split: ''}}", "3:39: expected a separator, found an empty text",
      ],
      [
        "relationships: {a: {by: b, fold: true}}",
        "3:38: unknown value 'true': expected none, unicode, case",
      ],
      [
        "relationships: {a: {by: b, fold: }}",
        "3:38: expected one of none, unicode, case, found nothing",
      ],
      [
        "relationships: {a: {minimum: 1.5}}",
        "3:34: expected a whole number from 0 to 2147483647, found another number",
      ],
      [
        "relationships: {a: {maximum: many}}",
        "3:34: expected a whole number from 0 to 2147483647, found a text",
      ],
      [
        "relationships: {a: {maximum: 2147483648}}",
        "3:34: expected a whole number from 0 to 2147483647, found another number",
      ],
      [
        "relationships: {a: {minimum: 2, maximum: 1}}",
        "3:34: 'minimum' is greater than 'maximum' in a relationship",
      ],
      ["collections: {a: 5}", "3:22: expected a key or a block of a collection, found a number"],
      ["collections: {a: {from: [b]}}", "3:29: expected a key, found a list"],
      [
        "collections: {a: {keepCount: true}}",
        "3:23: missing key 'ordered' or 'keys' or 'keyReferences' or 'values' or 'valueReferences' in a collection with 'keepCount'",
      ],
    ] as [[String]])
  func entities(case: [String]) {
    #expect(lines(inEntity: `case`[0]) == Array(`case`.dropFirst()))
  }

  @Test(
    "A wrong conversion is told with its place",
    arguments: [
      ("5", "3:31: expected a conversion or a list of conversions, found a number"),
      ("{}", "3:31: expected a conversion, found an empty block"),
      ("{uuid: 1}", "3:38: expected no parameters of the conversion 'uuid', found a number"),
      ("{decimal: {}, text: {}}", "3:45: the keys 'text' and 'decimal' are mutually exclusive"),
      ("{decimal: 2}", "3:41: expected a block of the conversion 'decimal', found a number"),
      (
        "{decimal: {scale: 129}}",
        "3:49: expected a whole number from -128 to 128, found another number"
      ),
      (
        "{decimal: {scale: 1e400}}",
        "3:49: expected a whole number from -128 to 128, found another number"
      ),
      ("{decimal: {notFinite: nil}}", "3:53: unknown value 'nil': expected error, null, keep"),
      ("{decimalText: {}}", "3:45: missing key 'scale' in the conversion 'decimalText'"),
      ("decimalText", "3:31: missing key 'scale' in the conversion 'decimalText'"),
      ("{decimalText: -1}", "3:45: expected a whole number from 0 to 128, found another number"),
      ("{number: {decimalSeparator: ab}}", "3:59: expected one character, found several"),
      (
        "{number: {decimalSeparator: '5'}}",
        "3:59: expected a character between digits, found a digit, sign or letter"
      ),
      (
        "{number: {groupingSeparator: .}}",
        "3:60: expected a separator other than the decimal separator, found the same character"
      ),
      ("dateNumber", "3:31: missing key 'since' in the conversion 'dateNumber'"),
      ("{dateNumber: 1980}", "3:44: expected 1970 or 2001, found another number"),
      ("{dateNumber: now}", "3:44: expected 1970 or 2001, found a text"),
      (
        "{date: {since: 1970, pattern: y}}",
        "3:52: the keys 'pattern' and 'since' are mutually exclusive"
      ),
      (
        "{date: {pattern: y, timeStyle: short}}",
        "3:51: the keys 'timeStyle' and 'pattern' are mutually exclusive"
      ),
      (
        "{dateText: {since: 1970}}",
        "3:43: unknown key 'since' in the conversion 'dateText', whose keys are pattern, dateStyle, timeStyle, locale and timeZone"
      ),
      (
        "{dateText: {dateStyle: big}}",
        "3:54: unknown value 'big': expected none, short, medium, long, full"
      ),
      ("{dateText: {locale: de_DEE}}", "3:51: unknown locale 'de_DEE' (did you mean 'de_DE'?)"),
      (
        "{dateText: {timeZone: Europe/Belrin}}",
        "3:53: unknown time zone 'Europe/Belrin' (did you mean 'Europe/Berlin'?)"
      ),
      ("{dateText: {timeZone: ../../etc/passwd}}", "3:53: unknown time zone '../../etc/passwd'"),
      ("enum", "3:31: missing key for at least one value in the conversion 'enum'"),
      ("{enum: {else: keep}}", "3:38: missing key for at least one value in the conversion 'enum'"),
      ("{enum: [a]}", "3:38: expected a block of values, found a list"),
      (
        "{enum: {0: a, 0x0: b}}",
        "3:45: duplicate key '0x0' in the conversion 'enum'"
      ),
      ("{enum: {a: [b]}}", "3:42: expected a plain value, found a list"),
      ("{enum: {a: b, else: skip}}", "3:51: unknown value 'skip': expected error, null, keep"),
    ])
  func conversions(yaml: String, line: String) {
    #expect(lines(inEntity: "attributes: {a: {convert: \(yaml)}}") == [line])
  }

  // MARK: YAML

  @Test(
    "YAML that is malformed is told with its place",
    arguments: [
      ("a: b: c", "1:5: malformed YAML: mapping values are not allowed in this context"),
      (
        "a: [b",
        "1:6: malformed YAML: did not find expected ',' or ']' while parsing a flow sequence"
      ),
      (
        "a: 'b",
        "1:6: malformed YAML: found unexpected end of stream while scanning a quoted scalar"
      ),
      ("a: 1\n b: 2", "2:3: malformed YAML: mapping values are not allowed in this context"),
      (
        "a: 1\n---\nb: 2",
        "2:1: malformed YAML: expected a single document in the stream, but found another document"
      ),
      (
        "\ta: 1",
        "1:1: malformed YAML: found a tab: YAML is indented with spaces"
      ),
      ("a: \u{7}", "1:4: malformed YAML: the character U+0007 is not allowed"),
      ("a: b\r\nc: é\0", "2:5: malformed YAML: the character U+0000 is not allowed"),
      ("a: \u{10}", "1:4: malformed YAML: the character U+0010 is not allowed"),
      (
        "a: \"\\ud800\"",
        "1:7: malformed YAML: found invalid Unicode character escape code while parsing a quoted scalar"
      ),
      ("%YAML 9.9\n---\na: b", "1:1: malformed YAML: found incompatible YAML document"),
    ])
  func malformed(yaml: String, line: String) {
    #expect(lines(yaml) == ["m.yaml:\(line)"])
  }

  @Test("A file that cannot be read is told")
  func unreadable() throws {
    func description(_ path: String) -> String {
      do throws(MappingError) {
        _ = try Mapping(contentsOf: path)
        return ""
      } catch {
        return "\(error)".replacing(path, with: "P")
      }
    }
    let folder = try TemporaryFolder()
    #expect(description(folder.file(named: "a")) == "P: cannot be read: No such file or directory")
    #expect(description(folder.path) == "P: cannot be read: not a regular file")
    #expect(description("/dev/zero") == "P: cannot be read: not a regular file")
    let latin = try folder.write(Array("model: a\nx: é ".utf8) + [0xE9, 0x20], to: "latin")
    #expect(description(latin) == "P:2:6: malformed YAML: the text is not UTF-8")
    let large = try folder.write("", to: "large")
    try #require(FileHandle(forWritingAtPath: large)).truncate(atOffset: 16 << 20 + 1)
    #expect(description(large) == "P: is larger than the limit of 16777216 bytes")
  }

  // MARK: Expressions

  @Test(
    "A wrong predicate or expression is told with the place inside of it",
    arguments: [
      ("where: a == § b", "3:17: invalid predicate: "),
      ("where: 'a == ''é'' + § b'", "3:26: invalid predicate: "),
      (#"where: "a == \"b\" + § b""#, "3:26: invalid predicate: "),
      ("where: |\n\n      a\n      and é § b", "6:13: invalid predicate: "),
      ("where: a == \"*\" *§", "3:22: invalid predicate: "),
      ("attributes: {a: {expression: a + §}}", "3:38: invalid expression: "),
      ("where: &a a == § b", "3:12: invalid predicate: "),
      ("where: >\n      a\n      and § b", "3:12: invalid predicate: "),
      (#"where: "\x61 == § b""#, "3:12: invalid predicate: "),
      ("where: a ==\n      § b", "3:12: invalid predicate: "),
    ])
  func expressions(yaml: String, start: String) throws {
    let words = "unexpected character §"
    let line = try #require(lines(inEntity: yaml).first)
    #expect(line.hasPrefix(start))
    // Where the place is hard to tell, the words tell it.
    let rest = line.dropFirst(start.count)
    #expect(rest == words || (start.hasPrefix("3:12") && rest.hasPrefix("\(words) (character ")))
  }

  @Test(
    "Patterns are checked before anything is converted",
    arguments: [
      (#"attributes: {a: {pattern: "[a-c"}}"#, "3:31: invalid regular expression: '[a-c'"),
      (#"attributes: {a: {pattern: "a)|(b"}}"#, "3:31: invalid regular expression: 'a)|(b'"),
      (
        #"where: a MATCHES "[b""#,
        "3:22: invalid predicate: the regular expression is invalid"
      ),
      (
        "attributes: {a: {convert: {dateText: {pattern: yyyy-nn}}}}",
        "3:52: invalid date pattern: the letter 'n' has no meaning (put text in single quotes)"
      ),
      (
        "attributes: {a: {convert: {date: {pattern: yyyy'T'HHp}}}}",
        "3:48: invalid date pattern: the letter 'p' has no meaning (put text in single quotes)"
      ),
    ])
  func patterns(yaml: String, expected: String) {
    let lines = lines(inEntity: yaml)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(expected.prefix { $0 != "(" }) == true, "\(lines)")
  }
}
