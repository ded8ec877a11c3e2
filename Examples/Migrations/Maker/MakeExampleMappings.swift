import Foundation

/// Writes the mapping models of the examples, as Xcode would, to the folder in the second argument;
/// the first is the folder with their models.
@main
struct MakeExampleMappings {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let models = URL(fileURLWithPath: arguments.first ?? "Examples/Migrations", isDirectory: true)
    let output = arguments.dropFirst().first.map { URL(fileURLWithPath: $0, isDirectory: true) }
    for mapping in ExampleMapping.all {
      let folder = (output ?? models).appendingPathComponent(mapping.path)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("xcmapping.xml")
      try Data(mapping.text(in: models).utf8).write(to: file)
      print(mapping.path)
    }
  }
}
