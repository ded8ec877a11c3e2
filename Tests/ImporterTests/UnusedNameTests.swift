import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Names of a mapping that match nothing in the archives")
struct UnusedNameTests {
  /// A box that holds things, each with a name and a size.
  private static let archive = KeyedArchiveBuilder.archive { archive in
    let things = ["a", "b"].map { name in
      archive.instance(of: "Thing", ["name": archive.string(name), "size": .integer(1)])
    }
    return archive.instance(
      of: "Box",
      [
        "label": archive.string("x"), "things": archive.array(things), "first": things[0],
        "pairs": archive.dictionary(
          keys: [archive.string("k")], values: [archive.string("v")]),
      ])
  }

  @Test(
    "are told with their place and the nearest name",
    arguments: [
      ("classes: {Boxx: Case}", "1:11: no archive has a class 'Boxx' (did you mean 'Box'?)"),
      ("classes: {Lid: {ignore: true}}", "1:11: no archive has a class 'Lid'"),
      ("classes: {Lid: {class: Box}}", "1:11: no archive has a class 'Lid'"),
      (
        "classes: {Thing: {value: nme}}",
        "1:11: no object of 'Thing' has a key 'nme' (did you mean 'name'?)"
      ),
      (
        "entities: {Thingy: {}}",
        "1:12: no object in the archives becomes a row of 'Thingy' (did you mean 'Thing'?)"
      ),
      (
        "entities: {Case: {from: Bax, where: a > 0, unread: [b], attributes: {c: {}}}}",
        "1:25: no archive has a class 'Bax' (did you mean 'Box'?)"
      ),
      (
        "entities: {Case: {from: [Box, Bax]}}",
        "1:31: no archive has a class 'Bax' (did you mean 'Box'?)"
      ),
      (
        "entities: {Box: {attributes: {lable: {}}}}",
        "1:31: no object of 'Box' has a key 'lable' (did you mean 'label'?)"
      ),
      (
        "entities: {Box: {attributes: {title: {from: lable}}}}",
        "1:45: no object of 'Box' has a key 'lable' (did you mean 'label'?)"
      ),
      (
        "entities: {Box: {attributes: {title: frist.name}}}",
        "1:38: no object of 'Box' has a key 'frist' (did you mean 'first'?)"
      ),
      (
        "entities: {Box: {attributes: {title: first.nam}}}",
        "1:38: no object of 'Thing' has a key 'nam' (did you mean 'name'?)"
      ),
      (
        "entities: {Box: {attributes: {title: {from: things.nam, convert: json}}}}",
        "1:45: no object of 'Thing' has a key 'nam' (did you mean 'name'?)"
      ),
      (
        "entities: {Box: {attributes: {title: label.name}}}",
        "1:38: 'label' holds plain values, which have no key 'name'"
      ),
      (
        "entities: {Box: {attributes: {title: {expression: lable + first.nam}}}}",
        "1:51: no object of 'Box' has a key 'lable' (did you mean 'label'?) "
          + "1:51: no object of 'Thing' has a key 'nam' (did you mean 'name'?)"
      ),
      (
        "entities: {Thing: {where: siz > 0}}",
        "1:27: no object of 'Thing' has a key 'siz' (did you mean 'size'?)"
      ),
      (
        "entities: {Thing: {unread: [name, sizes]}}",
        "1:35: no object of 'Thing' has a key 'sizes' (did you mean 'size'?)"
      ),
      (
        "entities: {Box: {relationships: {parts: {from: thing, to: Thing, toMany: true}}}}",
        "1:48: no object of 'Box' has a key 'thing' (did you mean 'things'?)"
      ),
      (
        "entities: {Box: {relationships: {words: {from: lable, split: ',', into: Word, by: w}}}}",
        "1:48: no object of 'Box' has a key 'lable' (did you mean 'label'?)"
      ),
      (
        "entities: {Box: {relationships: {first: {mapping: ThingsToThing}}}}",
        "1:51: unknown block 'ThingsToThing' (did you mean 'ThingToThing'?)"
      ),
      (
        "entities: {Box: {collections: {pear: {from: pares}}}}",
        "1:45: no object of 'Box' has a key 'pares'"
      ),
      (
        "passes: [{name: p, entities: {Twin: {from: Thing, attributes: {nam: {}}}}}]",
        "1:64: no object of 'Thing' has a key 'nam' (did you mean 'name'?)"
      ),
    ])
  func told(mapping: String, expected: String) throws {
    let found = try Self.unused(mapping)
    #expect(found.joined(separator: " ") == expected)
  }

  @Test(
    "are no others: what leads to something, even if it holds nothing, and what cannot be known",
    arguments: [
      "classes: {Box: Case}", "classes: {Thing: {value: name}}", "entities: {Case: {from: Box}}",
      "entities: {Box: {attributes: {title: {from: first.name}, kind: {value: 1}}}}",
      "entities: {Box: {attributes: {k: {from: pairs.whatever}}}}",
      "entities: {Box: {attributes: {k: {expression: 'label.length + things.@count'}}}}",
      "entities: {Box: {attributes: {k: {expression: 'SUBQUERY(things, $t, $t.size > 0).@count'}}}}",
      "entities: {Base: {abstract: true}, Box: {parent: Base}}",
      "entities: {Box: {relationships: {w: {from: label, split: ',', into: Word, by: w}}}, Word: {}}",
      "entities: {Box: {relationships: {first: {mapping: T}}}, Thing: {name: T}}",
    ])
  func notTold(mapping: String) throws {
    #expect(try Self.unused(mapping) == [])
  }

  @Test("are those that match nothing in any of the archives")
  func several() throws {
    let other = KeyedArchiveBuilder.of("Lid") { _ in ["colour": .integer(1)] }
    let mapping = "entities: {Lid: {attributes: {color: {}, colour: {}}}, Box: {}}"
    #expect(
      try Self.unused(mapping, Self.archive, other)
        == ["1:31: no object of 'Lid' has a key 'color' (did you mean 'colour'?)"])
  }

  @Test("are errors where a model says what there is")
  func impossible() throws {
    let cases = [
      ("classes: {Box: Bax}", "1:16: unknown entity 'Bax' (did you mean 'Box'?)"),
      ("classes: {Lid: Bax}", "1:16: unknown entity 'Bax' (did you mean 'Box'?)"),
      ("entities: {Bax: {}}", "1:12: unknown entity 'Bax' (did you mean 'Box'?)"),
      (
        "entities: {Box: {identity: nam}}",
        "1:28: unknown property 'Box.nam' (did you mean 'name'?)"
      ),
    ]
    for (mapping, expected) in cases {
      let messages = try SteeredConversion(
        [Self.archive], model: HookModel.document, mapping: mapping, ImportExtensions()
      ).failure()
      #expect(messages == ["mapping.yaml:\(expected)"])
    }
  }

  /// The names that a run lists, without the path.
  private static func unused(
    _ mapping: String, _ archives: KeyedArchiveBuilder...
  ) throws -> [String] {
    var run = try SteeredConversion(
      archives.isEmpty ? [archive] : archives, mapping: mapping, ImportExtensions())
    run.options.isDryRun = true
    let report = try run.report()
    return (report.unusedNames ?? []).map { name in
      String(name.text.dropFirst((name.path ?? "").count + 1))
    }
  }
}
