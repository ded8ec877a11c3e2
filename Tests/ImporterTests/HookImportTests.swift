import Importer
import Testing

@Suite("Whoever imports Importer alone")
struct HookImportTests {
  /// Decodes a colour.
  private struct ColorHook: ImportHook {
    static let archivedClassNames = ["Thing"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let thing = try coder.insert()
      let color = try coder.decode(FoundationValue.self, forKey: "color")
      thing["size"] = color?.as(ArchivedColor.self)?.components?.count
      return thing
    }
  }

  @Test("has the types that hooks decode, and those that say how")
  func types() {
    let extensions = ImportExtensions(
      hooks: [ColorHook.self],
      decoding: DecodingOptions(isStrict: true, failurePolicy: .setErrorAndReturn))
    #expect(extensions.decoding.isStrict)
  }
}
