import Foundation
import MappingModelTesting
import TestSupport
import Testing

@Suite("convert check of a mapping model")
struct CheckMappingModelTests {
  /// A folder with two versions of a model, which have a car without properties.
  private func folder(_ mapping: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(mapping, to: "1to2.xcmappingmodel/xcmapping.xml")
    try write(["Car"], to: "M", in: folder)
    try write(["Car", "Wheel"], to: "M 2", in: folder)
    return folder
  }

  private func write(_ entities: [String], to version: String, in folder: TemporaryFolder) throws {
    let elements = entities.map { "<entity name=\"\($0)\"/>" }.joined()
    try folder.write(
      "<model type=\"com.apple.IDECoreDataModeler.DataModel\">\(elements)</model>",
      to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
  }

  private static let listing = """
    from App/M.xcdatamodeld/M.xcdatamodel
    to App/M.xcdatamodeld/M 2.xcdatamodel

    1. CarToCar: Car to Car (copy)
      source: FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Car", \
    "TRUEPREDICATE"), $manager.sourceContext, NO)


    """

  @Test(
    "shows what it does, and says that it has no mistakes",
    arguments: [[], ["--model", "M.xcdatamodeld"]])
  func sound(options: [String]) throws {
    let folder = try folder(
      MappingDocument.text(from: "M", ["Car"], to: "M 2", ["Car", "Wheel"]))
    for path in ["1to2.xcmappingmodel", "1to2.xcmappingmodel/xcmapping.xml"] {
      let result = try Program.run(["check", path] + options, in: folder.path)
      #expect(result.status == 0)
      #expect(result.output == "\(Self.listing)\(path): no mistakes found\n")
      #expect(result.errors == "")
    }
    let quiet = try Program.run(
      ["check", "-q", "1to2.xcmappingmodel"] + options, in: folder.path)
    #expect(quiet.status == 0)
    #expect(quiet.output == "")
  }

  @Test("is told by its content, not its name")
  func content() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      MappingDocument.text(from: "M", ["Car"], to: "M 2", ["Car"]), to: "mapping.yaml")
    let result = try folder.convert("check", "mapping.yaml")
    #expect(result.status == 0)
    #expect(result.output.hasSuffix("mapping.yaml: no mistakes found\n"))
  }

  @Test("names the policies that it needs")
  func policies() throws {
    let folder = try folder(
      MappingDocument.text(from: "M", ["Car"], to: "M 2", ["Car"], policy: "App.CarPolicy"))
    let result = try folder.convert("check", "1to2.xcmappingmodel")
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        "1to2.xcmappingmodel: note: needs the policy App.CarPolicy for CarToCar\n"))
  }

  @Test("reports mistakes on standard error, and what may be meant on standard output")
  func mistakes() throws {
    let folder = try folder(
      MappingDocument.text(from: "M", ["Bus", "Tyre"], to: "M 2", ["Wheel"], mapping: "Bus"))
    let result = try folder.convert("check", "1to2.xcmappingmodel")
    #expect(result.status == 1)
    #expect(
      result.errors == "1to2.xcmappingmodel: BusToBus: the destination model has no entity Bus\n")
    #expect(
      result.output.hasSuffix(
        "1to2.xcmappingmodel: warning: Tyre: no entity mapping migrates the objects of this source "
          + "entity\n"))
  }

  @Test("reports what a migration refuses, and what is not used")
  func refusals() throws {
    var store = XMLMappingStore(
      folder: "App/M.xcdatamodeld", versions: ("M", "M 2"),
      source: MappingDocument.embeddedModel(entities: ["Car"]),
      destination: MappingDocument.embeddedModel(entities: ["Car"]))
    store.add(
      from: "Car", to: "Car", fetch: .constant(.integer(1)), isAutomatic: false)
    var folder = try folder(store.text)
    let result = try folder.convert("check", "1to2.xcmappingmodel")
    #expect(result.status == 1)
    #expect(
      result.errors == """
        1to2.xcmappingmodel: CarToCar: the source expression is not supported: 1

        """)
    store = XMLMappingStore(
      folder: "App/M.xcdatamodeld", versions: ("M", "M 2"),
      source: MappingDocument.embeddedModel(entities: ["Car"]),
      destination: MappingDocument.embeddedModel(entities: ["Car"]))
    store.add(from: "Car", to: "Car", fetch: .constant(.integer(1)))
    folder = try self.folder(store.text)
    let automatic = try folder.convert("check", "1to2.xcmappingmodel")
    #expect(automatic.status == 0, "\(automatic)")
    #expect(
      automatic.output.hasSuffix(
        """
        1to2.xcmappingmodel: note: CarToCar: the source expression is not used: the objects of the \
        source entity are fetched
        1to2.xcmappingmodel: no mistakes found

        """))
  }

  @Test("reports a version that was edited after it, unless that is accepted")
  func drift() throws {
    let folder = try folder(MappingDocument.text(from: "M", ["Car"], to: "M 2", ["Car", "Tyre"]))
    let arguments = ["check", "-q", "1to2.xcmappingmodel", "--model", "M.xcdatamodeld"]
    let result = try Program.run(arguments, in: folder.path)
    #expect(result.status == 1)
    #expect(
      result.errors
        == "1to2.xcmappingmodel: was made for another version of 'M 2', which differs in Tyre, Wheel\n"
    )
    let accepted = try Program.run(
      arguments + ["--accept-model-drift"], in: folder.path)
    #expect(accepted.status == 0)
    #expect(accepted.errors == "")
  }

  @Test("needs models")
  func missingModels() throws {
    let folder = try folder(MappingDocument.text(from: "Old", nil, to: "New", nil))
    let without = try folder.convert("check", "1to2.xcmappingmodel")
    #expect(without.status == 2)
    #expect(
      without.errors == "1to2.xcmappingmodel: the mapping model contains no models; specify their "
        + "versions with --model\n")
    let other = try folder.convert(
      "check", "1to2.xcmappingmodel", "--model", "M.xcdatamodeld")
    #expect(other.status == 2)
    #expect(
      other.errors == "M.xcdatamodeld: does not contain the versions that the mapping model leads "
        + "between: 'Old' and 'New'\n")
  }

  @Test("cannot be given together with archives")
  func archives() throws {
    let folder = try folder(MappingDocument.text(from: "M", ["Car"], to: "M 2", ["Car"]))
    let result = try folder.convert("check", "1to2.xcmappingmodel", "a.archive")
    #expect(result.status == 64)
    #expect(
      result.errors.contains(
        "1to2.xcmappingmodel is a mapping model; archives can only be given with a mapping."))
  }

  @Test("is refused where it is damaged, with the line")
  func damage() throws {
    let text = MappingDocument.text(from: "M", ["Car"], to: "M 2", ["Car"])
    let folder = try folder(text.replacing("</database>", with: ""))
    let result = try folder.convert("check", "1to2.xcmappingmodel")
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix("1to2.xcmappingmodel/xcmapping.xml: the XML is not well-formed: "))
  }
}
