import ArchiveReader
import ArchiveWriter
import Converter
import TestSupport
import Testing

@testable import Importer

/// What is found in an archive, as a conversion finds it.
struct DraftedArchive {
  let profile: SchemaProfile
  let model: Model

  init(_ archive: KeyedArchive, stripPrefix: String? = nil) throws {
    profile = try SchemaProfiler.take(of: archive, classesReadAsObjects: [], limits: .standard)
    model = ModelInference.infer(
      from: profile, names: NameRules(stripPrefix: stripPrefix),
      reservedNames: RelationalLayout.reservedTableNames)
  }

  init(_ builder: KeyedArchiveBuilder) throws {
    try self.init(KeyedArchive(bytes: builder.binary()))
  }

  func draft(_ change: (inout MappingDraft.Options) -> Void = { _ in }) -> String {
    var options = MappingDraft.Options()
    change(&options)
    return MappingDraft.text(profile: profile, model: model, options: options)
  }

  /// Checks that the draft says all of the model, as the mapping reader understands it.
  func expectReadable() throws {
    let mapping = try Mapping(yaml: draft(), path: "mapping.yaml")
    #expect(mapping.classes.map(\.className.value) == model.entities.flatMap(\.archivedClasses))
    #expect(
      mapping.classes.map(\.kind) == model.entities.map { .entity(Marked($0.name)) })
    #expect(mapping.entities.map(\.entity.value) == model.entities.map(\.name))
    for (block, entity) in zip(mapping.entities, model.entities) {
      #expect(block.isComplete)
      #expect(
        block.attributes.map(\.name.value) == entity.attributes.map(\.name), "\(entity.name)")
      #expect(
        block.attributes.map(\.source.value) == entity.attributes.map { .keyPath([$0.key]) })
      #expect(block.attributes.map(\.type) == entity.attributes.map(\.type))
      #expect(
        block.attributes.map(\.keepsNegativeZero) == entity.attributes.map(\.holdsNegativeZero))
      #expect(
        block.relationships.map(\.source.value)
          == entity.relationships.map { .keyPath([$0.key]) })
      #expect(
        block.relationships.map { mapping in
          Relationship(
            name: mapping.name.value, destinations: mapping.destinations.map(\.value),
            isToMany: mapping.isToMany == true, isOrdered: mapping.isOrdered == true,
            inverse: mapping.inverse?.value, distinguishesEmpty: mapping.keepsCount)
        } == entity.relationships)
      #expect(block.collections.map(\.form) == entity.collections)
    }
  }

  /// Checks that a conversion by the draft does what one without a mapping does.
  func expectSameStore(of archive: String) throws {
    let folder = try TemporaryFolder()
    func contents(_ mappingPath: String?) throws -> [String] {
      let output = folder.file(named: mappingPath == nil ? "plain.sqlite" : "mapped.sqlite")
      var options = ConversionOptions.pairs
      options.mappingPath = mappingPath
      var conversion = Conversion(inputs: [archive], destination: output, options: options)
      _ = try conversion.run()
      let store = try StoreQuery(output)
      // The time of the conversion is in the one, the mapping in the other.
      return [try store.schema(), try store.content(except: ["_archive", "_run", "_report"])]
    }
    let mapping = try folder.write(draft(), to: "mapping.yaml")
    #expect(try contents(mapping) == contents(nil))
  }

  /// The lines below "classes:" or "entities:".
  func section(_ name: String) -> [String] {
    let lines = draft().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = lines.drop { $0 != "\(name):" }.dropFirst()
    return Array(start.prefix { $0.isEmpty || $0.hasPrefix(" ") }.filter { !$0.isEmpty })
  }
}
