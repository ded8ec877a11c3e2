import Foundation
import TestSupport
import Testing

@Suite("convert check")
struct CheckCommandTests {
  static let digest =
    "W1OiCuTDD/3D8XdWHLKJZGSkckCtmU5ApkBCtNvCyrZza5kwicAd4Xf0uC0GdeBq9qxdiSYlguohz4vzFRPtwA=="

  /// A folder with the model of the sample locations and a mapping.
  private func folder(_ mapping: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.addSampleModel("Locations")
    try folder.write(mapping, to: "m.yaml")
    return folder
  }

  // MARK: Sound mappings

  @Test("says that a mapping is sound, and the digest of its model")
  func sound() throws {
    let folder = try TemporaryFolder(samples: "Locations.yaml")
    try folder.addSampleModel("Locations")
    let result = try folder.convert("check", "Locations.yaml")
    #expect(result.status == 0)
    #expect(
      result.output
        == "Locations.yaml: no mistakes found\nmodelDigest: \"\(Self.digest)\"\n")
    #expect(result.errors == "")
    #expect(try folder.names() == ["Locations.xcdatamodeld", "Locations.yaml"])
  }

  @Test("names no digest where there is no model")
  func withoutModel() throws {
    let result = try folder("stripPrefix: MT\n").convert("check", "m.yaml")
    #expect(result.status == 0)
    #expect(result.output == "m.yaml: no mistakes found\n")
  }

  @Test("prints nothing with --quiet, unless something is wrong", arguments: ["-q", "--quiet"])
  func quiet(option: String) throws {
    let sound = try folder("").convert("check", option, "m.yaml")
    #expect(sound.status == 0)
    #expect(sound.output == "")
    let wrong = try folder("modell: a").convert("check", option, "m.yaml")
    #expect(wrong.status == 2)
    #expect(
      wrong.errors == "m.yaml:1:1: unknown key 'modell' in a mapping (did you mean 'model'?)\n")
  }

  @Test("takes another model than the mapping names, or one that it does not name")
  func otherModel() throws {
    let folder = try folder("model: absent.mom\nentities: {Event: {}, Tag: {}}")
    let without = try folder.convert("check", "m.yaml")
    #expect(without.status == 2)
    #expect(without.errors == "absent.mom: cannot be read: No such file or directory\n")
    let with = try folder.convert("check", "m.yaml", "--model", "Locations.xcdatamodeld")
    #expect(with.status == 0)
    #expect(with.output.hasSuffix("modelDigest: \"\(Self.digest)\"\n"))
  }

  // MARK: Mistakes

  @Test(
    "tells what does not fit the model, with line and column and the nearest name",
    arguments: [
      ("Evnt: {}", "2:3: unknown entity 'Evnt' (did you mean 'Event'?)"),
      ("Event: {parent: Tag}", "2:19: 'Tag' contradicts the model: no parent"),
      (
        "Event: {identity: [creationdate]}",
        "2:22: unknown property 'Event.creationdate' (did you mean 'creationDate'?)"
      ),
      ("Event: {policy: TagPolicy}", "2:19: no policy is registered as 'TagPolicy'"),
      (
        "Event: {attributes: {lattitude: latitude}}",
        "2:24: unknown property 'Event.lattitude' (did you mean 'latitude'?)"
      ),
      (
        "Event: {attributes: {latitude: {type: string}}}",
        "2:24: 'Event.latitude' contradicts the model: double"
      ),
      ("Event: {abstract: true}", "2:3: 'Event' contradicts the model: abstract: false"),
      (
        "Event: {attributes: {latitude: {optional: true, default: 1, minimum: 0, pattern: x}}}",
        ["optional: false", "no default", "no minimum", "no pattern"].map {
          "2:24: 'Event.latitude' contradicts the model: \($0)"
        }.joined(separator: "\nm.yaml:")
      ),
      (
        "Tag: {attributes: {name: {minimum: 2, optional: false}}}",
        "2:22: 'Tag.name' contradicts the model: minimum: 1"
      ),
      (
        "Event: {relationships: {tags: {to: Event, toMany: false, ordered: true, inverse: tags, "
          + "deleteRule: cascade, optional: false, minimum: 1, maximum: 2}}}",
        [
          "toMany: true", "ordered: false", "optional: true", "inverse: events",
          "deleteRule: nullify", "minimum: 0", "maximum: 0", "to: Tag",
        ].map { "2:27: 'Event.tags' contradicts the model: \($0)" }
          .joined(separator: "\nm.yaml:")
      ),
      (
        "Event: {attributes: {longitude: {value: far}}}",
        "2:24: no conversion from string to double can be inferred for 'Event.longitude': "
          + "specify one\nm.yaml:2:43: expected a value of the type double, found text"
      ),
      (
        "Event: {attributes: {creationDate: {convert: [text, archive]}}}",
        "2:49: invalid conversion of 'creationDate': an archive must be the only step"
      ),
      (
        "Event: {relationships: {tagz: tags}}",
        "2:27: unknown property 'Event.tagz' (did you mean 'tags'?)"
      ),
      (
        "Event: {relationships: {tags: {split: \",\", into: Tagg, by: name}}}",
        "2:52: unknown entity 'Tagg' (did you mean 'Tag'?)"
      ),
      (
        "Event: {relationships: {tags: {split: \",\", into: Tag, by: nam}}}",
        "2:61: unknown property 'Tag.nam' (did you mean 'name'?)"
      ),
    ])
  func mismatch(entity: String, message: String) throws {
    let folder = try folder("entities:\n  \(entity)\n")
    let result = try folder.convert("check", "m.yaml", "--model", "Locations.xcdatamodeld")
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors == "m.yaml:\(message)\n")
  }

  @Test(
    "tells what cannot be without a model, either",
    arguments: [
      ("_archive: {}", "m.yaml:2:3: the name '_archive' is reserved for a table of the store"),
      ("A: {parent: A}", "m.yaml:2:15: the entity 'A' inherits from itself"),
      (
        "A: {abstract: true, from: X}",
        "m.yaml:2:3: the entity 'A' is abstract: only its subentities have rows"
      ),
      (
        "A: {attributes: {a: {type: integer, value: x}}}",
        "m.yaml:2:46: expected a value of the type integer, found text"
      ),
      (
        "A: {attributes: {a: {type: integer, default: x}}}",
        "m.yaml:2:20: expected a value of the type integer, found text"
      ),
      (
        "A: [{from: X, attributes: {a: {type: integer, optional: false, default: 1}}}, "
          + "{from: Y, attributes: {a: {optional: true, default: 2, maximum: 3}}}]",
        ["optional: false", "another default"].map {
          "m.yaml:2:104: 'A.a' contradicts another block: \($0)"
        }.joined(separator: "\n")
      ),
      (
        "A: {relationships: {rows: {to: A, toMany: true, inverse: back}, back: {to: A, inverse: rwos}}}",
        "m.yaml:2:90: 'rwos' cannot be the inverse of 'A.back': 'A.rows' names 'back' as its own "
          + "inverse (did you mean 'rows'?)"
      ),
      (
        "A: {relationships: {r: {to: [A, B], inverse: back}}}",
        "m.yaml:2:48: 'back' cannot be the inverse of 'A.r': it leads to A and B"
      ),
      (
        "A: {relationships: {r: {to: A, toMany: true}}, collections: {r: {values: integer}}}",
        "m.yaml:2:64: 'A.r' contradicts another block: a relationship to several rows"
      ),
    ])
  func withoutModel(entity: String, message: String) throws {
    let result = try folder("entities:\n  \(entity)\n").convert("check", "m.yaml")
    #expect(result.status == 2)
    #expect(result.errors == message + "\n")
  }

  @Test("takes for sound, without a model, what may follow from the archives")
  func followsFromArchives() throws {
    let folder = try folder("entities: {Note: {identity: uid, relationships: {next: {}}}}")
    try folder.addNotes("archive", ["uid": "a"])
    #expect(try folder.convert("check", "m.yaml").status == 0)
    let result = try folder.convert("archive", "--mapping", "m.yaml", "-o", "out.db", "--dry-run")
    #expect(result.status == 2)
    #expect(
      result.errors
        == "m.yaml:1:50: the destination of 'Note.next' is unknown: name its entity with 'to'\n")
  }

  @Test("tells of several mistakes, in the order of the file")
  func several() throws {
    let folder = try folder(
      """
      model: Locations.xcdatamodeld
      entities:
        Evnt: {}
        Event: {parent: Tag, relationships: {tags: {split: ",", into: Tags, by: name}}}
      """)
    let result = try folder.convert("check", "m.yaml")
    #expect(result.status == 2)
    #expect(
      result.errorLines == [
        "m.yaml:3:3: unknown entity 'Evnt' (did you mean 'Event'?)",
        "m.yaml:4:19: 'Tag' contradicts the model: no parent",
        "m.yaml:4:65: unknown entity 'Tags' (did you mean 'Tag'?)",
      ])
  }

  @Test("cannot read what is no mapping", arguments: ["absent.yaml", "binary.yaml", "folder"])
  func unreadable(name: String) throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    try folder.addSample("QuickRecord.archive", as: "binary.yaml")
    try folder.write("", to: "folder/inside")
    let result = try folder.convert("check", name)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix(name + ":"))
    #expect(result.errorLines.count == 1)
  }

  // MARK: Versions of a model

  @Test("refuses a mapping that was made for another version of the model, unless told to go on")
  func drift() throws {
    let mapping = "model: Locations.xcdatamodeld\nmodelDigest: \"\(Self.digest)\"\n"
    let folder = try folder(mapping)
    #expect(try folder.convert("check", "m.yaml").status == 0)
    try folder.write(mapping.replacing("W1Oi", with: "AAAA"), to: "m.yaml")
    try folder.addSample("Locations.archive")
    let digest = Self.digest
    let complaint =
      "m.yaml:2:14: was made for another version of the model: its digest is \(digest), not "
      + "AAAA\(digest.dropFirst(4)) (use --accept-model-drift to continue)\n"
    for command in [["check", "m.yaml"], ["Locations.archive", "--mapping", "m.yaml", "-o", "o"]] {
      let refused = try Program.run(command, in: folder.path)
      #expect(refused.status == 2)
      #expect(refused.output == "")
      #expect(refused.errors == complaint)
    }
    let accepted = try folder.convert("check", "m.yaml", "--accept-model-drift")
    #expect(accepted.status == 0)
    #expect(accepted.output.hasSuffix("modelDigest: \"\(digest)\"\n"))
    #expect(try folder.names() == ["Locations.archive", "Locations.xcdatamodeld", "m.yaml"])
  }
}
