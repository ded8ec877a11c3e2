import Foundation
import Importer
import TestSupport
import Testing

@Suite("The JSON Schema of mapping files")
struct MappingSchemaTests {
  private let definitions: [String: Any]

  init() throws {
    let path = "\(Repository.root)/Documentation/mapping.schema.json"
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    definitions = try #require(schema["$defs"] as? [String: Any])
  }

  private func definition(_ name: String) throws -> [String: Any] {
    try #require(definitions[name] as? [String: Any], "\(name)")
  }

  @Test(
    "knows the keys that the reader knows, and no others", arguments: MappingVocabulary.Block.all)
  func keys(block: MappingVocabulary.Block) throws {
    let definition = try definition(block.name)
    let properties = try #require(definition["properties"] as? [String: Any])
    #expect(properties.keys.sorted() == block.keys.sorted())
    #expect(definition["additionalProperties"] as? Bool == false)
  }

  @Test(
    "knows the words that the reader knows, and no others", arguments: MappingVocabulary.Words.all)
  func words(words: MappingVocabulary.Words) throws {
    let list = try #require(try definition(words.name)["enum"] as? [Any])
    #expect(list.compactMap { $0 as? String } == words.words)
  }

  @Test("knows the conversions that the reader knows, and no others")
  func conversions() throws {
    let properties = try #require(try definition("conversion")["properties"] as? [String: Any])
    #expect(properties.keys.sorted() == MappingVocabulary.Words.conversion.words.sorted())
  }

  @Test("has no other blocks, describes everything, and refers to what there is")
  func completeness() throws {
    let blocks = definitions.filter { ($0.value as? [String: Any])?["properties"] != nil }.keys
    #expect(Set(blocks) == Set(MappingVocabulary.Block.all.map(\.name) + ["conversion", "enum"]))
    for (name, definition) in definitions {
      let definition = try #require(definition as? [String: Any])
      #expect(definition["description"] is String, "\(name)")
      let properties = definition["properties"] as? [String: [String: Any]] ?? [:]
      for (key, property) in properties {
        #expect(property["description"] is String, "\(name).\(key)")
      }
    }
    let references = Self.references(in: definitions)
    #expect(references.subtracting(definitions.keys.map { "#/$defs/\($0)" }) == [])
  }

  private static func references(in value: Any) -> Set<String> {
    if let list = value as? [Any] {
      return list.reduce(into: []) { $0.formUnion(references(in: $1)) }
    }
    guard let object = value as? [String: Any] else { return [] }
    return object.reduce(into: []) { found, pair in
      if pair.key == "$ref", let reference = pair.value as? String { found.insert(reference) }
      found.formUnion(references(in: pair.value))
    }
  }
}
