import Foundation

/// Writes the cases to the folder in the first argument, or to `Conformance/cases`.
@main
struct MakeConformanceCases {
  static func main() throws {
    let folder = URL(
      fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "Conformance/cases",
      isDirectory: true)
    try? FileManager.default.removeItem(at: folder)
    for entry in try all() {
      let stem = folder.appendingPathComponent(entry.name)
      try FileManager.default.createDirectory(
        at: stem.deletingLastPathComponent(), withIntermediateDirectories: true)
      for (ending, bytes) in entry.files + [("json", Data(entry.expectation.utf8))] {
        try bytes.write(to: stem.appendingPathExtension(ending))
      }
    }
    try StoreCases.model.write(to: folder.appendingPathComponent("coredata/model.mom"))
  }

  private static func all() throws -> [Case] {
    try PropertyListCases.all() + KeyedValueCases.all() + KeyedObjectCases.all()
      + FoundationCases.all() + BadArchiveCases.all() + TypedstreamCases.all() + NibCases.all()
      + StoreCases.all()
  }
}
