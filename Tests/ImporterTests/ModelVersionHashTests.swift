import Foundation
import Importer
import Testing

@Suite("Version hashes of models")
struct ModelVersionHashTests {
  private let model = Model(entities: [
    Entity(
      name: "Plant", isAbstract: true,
      attributes: [
        Attribute(name: "name", type: .string, isOptional: false, versionHashModifier: "2"),
        Attribute(name: "note", type: .string, isTransient: true),
        Attribute(
          name: "picture", type: .binary, allowsExternalBinaryDataStorage: true),
        Attribute(name: "Key", type: .integer, preservesAfterDeletion: true),
      ], uniquenessConstraints: [["name", "Key"], ["Key"]]),
    Entity(
      name: "Tree", parent: "Plant",
      attributes: [Attribute(name: "height", type: .double)],
      relationships: [
        Relationship(
          name: "leaves", destinations: ["Leaf"], isToMany: true, isOrdered: true,
          inverse: "tree", minimumCount: 1)
      ], versionHashModifier: "x"),
    Entity(
      name: "Leaf",
      relationships: [
        Relationship(
          name: "tree", destinations: ["Tree"], isToMany: false, inverse: "leaves",
          isOptional: false)
      ]),
  ])

  @Test("They are made as measured: the values are of an independent program")
  func values() {
    let hashes = model.versionHashes().mapValues { $0.base64EncodedString() }
    #expect(
      hashes == [
        "Leaf": "LQZSf6+atvNRyzVOdDxP0L8BX6az8NG9689TJ6Zupe4=",
        "Plant": "Hmkh0MC4GYw6nZRjDKt4aXyLRIrF81RV74bxcpEPsuw=",
        "Tree": "Ss6L0obxsZ5QANprwLv8H+3ULp6CY2cyqz5Mz0Knwn0=",
      ])
    #expect(model.checksum() == "3iFtkdlGrPHiYY+++CCTPoRi7c4qoitEBqBkB02b7uI=")
    #expect(
      model.digest()
        == """
        am8P6ENYiy5RKN4ezkXlbllMvKULaBkTSClHWz5LdpfQ\
        M3QGfTfcwbXsTSUHDtI2tHPDZsgNmVUs0PNTQtut9A==
        """)
  }

  /// Changes the first entity's first attribute, or the entity.
  private func changed(_ change: (inout Entity) -> Void) -> [String] {
    var other = model
    change(&other.entities[0])
    return other.entitiesThatDiffer(from: model.versionHashes())
  }

  @Test("What is hashed changes the entity and its subentities; what is not changes nothing")
  func changes() {
    #expect(changed { $0.attributes[0].isOptional = true } == ["Plant", "Tree"])
    #expect(changed { $0.attributes[0].type = .uri } == ["Plant", "Tree"])
    #expect(changed { $0.attributes[0].isTransient = true } == ["Plant", "Tree"])
    #expect(changed { $0.uniquenessConstraints = [] } == ["Plant", "Tree"])
    #expect(changed { $0.isAbstract = false } == ["Plant", "Tree"])
    #expect(changed { $0.name = "Weed" } == ["Plant", "Tree", "Weed"])
    #expect(changed { $0.attributes.reverse() } == [])
    #expect(changed { $0.uniquenessConstraints.reverse() } == [])
    #expect(changed { $0.renamingIdentifier = "Weed" } == [])
    #expect(changed { $0.attributes[1].name = "remark" } == [])
    #expect(
      changed {
        $0.attributes[0].defaultValue = .string("")
        $0.attributes[0].minimum = 1
        $0.attributes[0].pattern = "."
        $0.attributes[0].renamingIdentifier = "old"
      } == [])
  }

  @Test("Derived and composite attributes make a hash uncertain, inherited ones too")
  func uncertain() {
    #expect(model.entitiesWithUncertainHash == [])
    var other = model
    other.entities[0].attributes[0].isDerived = true
    #expect(other.entitiesWithUncertainHash == ["Plant", "Tree"])
    other.entities[0].attributes[0].isTransient = true
    #expect(other.entitiesWithUncertainHash == [])
    other.entities[1].attributes[0].type = .composite
    #expect(other.entitiesWithUncertainHash == ["Tree"])
  }

  @Test("Any model has hashes")
  func odd() {
    let odd = Model(entities: [
      Entity(name: "A", parent: "B"), Entity(name: "B", parent: "A"),
      Entity(
        name: "C", parent: "D", attributes: [Attribute(name: "x", type: .mixed)],
        relationships: [
          Relationship(name: "y", destinations: [], isToMany: true, maximumCount: .max)
        ]),
    ])
    #expect(Set(odd.versionHashes().keys) == ["C"])
    #expect(odd.versionHashes()["C"]?.count == 32)
    #expect(Model().versionHashes() == [:])
  }
}
