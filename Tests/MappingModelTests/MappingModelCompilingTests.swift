import DataModel
import MappingModelTesting
import Mappings
import Migration
import Testing

@Suite("A mapping model that is compiled")
struct MappingModelCompilingTests {
  /// The expression of a property of a compiled entity mapping.
  private func expression(
    of property: XMLMappingStore.Property, isRelationship: Bool = false, from source: String?,
    to destination: String?, others: (inout XMLMappingStore) -> Void = { _ in }
  ) throws -> String? {
    var store = XMLMappingStore()
    store.add(
      from: source, to: destination, attributes: isRelationship ? [] : [property],
      relationships: isRelationship ? [property] : [])
    others(&store)
    let document = try MappingModelDocument(xml: store.bytes)
    let model = document.compiled(from: Garage.source, to: Garage.destination)
    let mapping = try #require(model.entityMappings.first)
    let properties = isRelationship ? mapping.relationshipMappings : mapping.attributeMappings
    return properties.first?.valueExpression?.format
  }

  @Test("gives attributes the values of the same name")
  func attributes() throws {
    #expect(try expression(of: .init("plate"), from: "Car", to: "Car") == "$source.plate")
    // Inherited.
    #expect(
      try expression(of: .init("plate"), from: "SportCar", to: "SportCar") == "$source.plate")
    // The source has no such property.
    #expect(try expression(of: .init("since"), from: "Car", to: "Car") == nil)
    // There is no source.
    #expect(try expression(of: .init("name"), from: nil, to: "Maker") == nil)
    // An attribute and a relationship of one name are two things.
    #expect(try expression(of: .init("owner"), from: "Car", to: "Car") == nil)
    // What is written counts, nil too.
    #expect(
      try expression(of: .init("plate", value: .constant(.null)), from: "Car", to: "Car") == "nil")
    #expect(
      try expression(of: .init("plate", isAutomatic: false), from: "Car", to: "Car") == nil)
  }

  private static let byName =
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
  private static let byRelationship =
    "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", "

  @Test("lets relationships lead to what the objects of the source's have become")
  func relationships() throws {
    func owner(
      _ property: XMLMappingStore.Property, from source: String? = "Car",
      _ others: (inout XMLMappingStore) -> Void = { $0.add(from: "Person", to: "Person") }
    ) throws -> String? {
      try expression(
        of: property, isRelationship: true, from: source, to: "Car", others: others)
    }
    #expect(
      try owner(.init("owner")) == "\(Self.byName)\"PersonToPerson\", $source.owner)")
    #expect(
      try owner(.init("owner")) { $0.add(from: "Person", to: "Person", name: "People") }
        == "\(Self.byName)\"People\", $source.owner)")
    // Several entity mappings, or none, can have made them: the manager finds out.
    #expect(
      try owner(.init("owner")) {
        $0.add(from: "Person", to: "Person")
        $0.add(from: "Person", to: "Person", name: "Again")
      } == "\(Self.byRelationship)\"owner\", $source.owner)")
    #expect(
      try owner(.init("owner")) { _ in } == "\(Self.byRelationship)\"owner\", $source.owner)")
    // Written, for another entity mapping, without one, or not at all.
    #expect(
      try owner(.init("owner", mapping: "Other")) == "\(Self.byName)\"Other\", $source.owner)")
    #expect(
      try owner(.init("owner", keyPath: "$source.garage.cars.owner", mapping: "Other"))
        == "\(Self.byName)\"Other\", $source.garage.cars.owner)")
    #expect(
      try owner(.init("owner", keyPath: "$source.garage.cars.owner"))
        == "\(Self.byName)\"PersonToPerson\", $source.garage.cars.owner)")
    #expect(
      try owner(.init("owner", keyPath: "$source", mapping: "Other"))
        == "\(Self.byName)\"Other\", $source)")
    #expect(
      try owner(.init("owner", keyPath: "$source.a..b", mapping: "Other")) == "<$source.a..b>")
    #expect(try owner(.init("owner", keyPath: "$source.name")) == "<$source.name>")
    #expect(try owner(.init("maker")) == nil)
    #expect(try owner(.init("owner", isAutomatic: false)) == nil)
    #expect(try owner(.init("owner"), from: nil) == nil)
  }

  @Test("lets the manager find objects of an entity that others inherit from")
  func subentities() throws {
    #expect(
      try expression(
        of: .init("cars"), isRelationship: true, from: "Person", to: "Person",
        others: { $0.add(from: "Car", to: "Car") })
        == "\(Self.byRelationship)\"cars\", $source.cars)")
  }

  @Test("fetches the objects of the source as its author said")
  func sources() throws {
    func source(_ add: (inout XMLMappingStore) -> Void) throws -> ExpressionNode? {
      var store = XMLMappingStore()
      add(&store)
      let model = try MappingModelDocument(xml: store.bytes)
        .compiled(from: Garage.source, to: Garage.destination)
      return model.entityMappings.first?.sourceExpression
    }
    #expect(
      try source { $0.add(from: "Car", to: "Car") } == .objects(of: "Car"))
    #expect(
      try source { $0.add(from: "Car", to: "Car", filter: "seats == 2", isAutomatic: false) }
        == .objects(of: "Car", where: ExpressionNode(predicate: "seats == 2")))
    let other = ExpressionNode.objects(of: "SportCar")
    #expect(
      try source {
        $0.add(from: "Car", to: "Car", filter: "a == 1", fetch: other, isAutomatic: false)
      } == other)
    // What was written before it was made automatic is a leftover.
    #expect(
      try source { $0.add(from: "Car", to: "Car", fetch: other) }
        == .objects(of: "Car"))
    #expect(try source { $0.add(from: "Car", to: "Car", isAutomatic: false) } == nil)
    #expect(try source { $0.add(from: nil, to: "Car") } == nil)
  }

  @Test("tells what is done with each entity, and the versions of entities")
  func kinds() throws {
    var store = XMLMappingStore()
    store.add(from: "Car", to: "Car", attributes: [.init("seats")])
    store.add(from: "Car", to: "Car", attributes: [.init("plate")])
    store.add(from: "Car", to: nil)
    store.add(from: nil, to: "Maker")
    store.add(from: nil, to: "Maker", policy: "P")
    store.add(from: "Car", to: "Car", policy: "")
    store.add(from: nil, to: nil)
    let model = try MappingModelDocument(xml: store.bytes)
      .compiled(from: Garage.source, to: Garage.destination)
    #expect(
      model.entityMappings.map(\.kind) == [
        .transform, .copy, .remove, .add, .custom, .copy, .undefined,
      ])
    #expect(model.destinationVersionHashes.keys.sorted() == ["Car", "Maker"])
    let hash = try #require(Garage.source.versionHashes()["Car"])
    #expect(model.sourceVersionHashes == ["Car": hash])
    #expect(Garage.destination.versionHashes()["Car"] != hash)
  }
}
