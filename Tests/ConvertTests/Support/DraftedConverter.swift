import Foundation
import TestSupport
import Testing

/// A package that `convert new-converter` has written, compiled with the modules that the build has
/// made already: a build of its own would take minutes.
struct DraftedConverter {
  /// Whether there is what it takes: the modules and object files of an ordinary build.
  static let canBuild =
    (try? objectList()).map { $0.contains("/.build/") && $0.contains("/debug/") } ?? false

  private let folder: TemporaryFolder
  private let program: String

  /// Compiles the sources of a package in a folder.
  init(_ package: String, in folder: TemporaryFolder) throws {
    self.folder = folder
    program = folder.file(named: "\(package).program")
    let sources = try Self.sources(under: folder.file(named: "\(package)/Sources"))
    let objects = try Self.objectList().split(separator: "\n").filter {
      !$0.contains("/convert.build/")
    }
    let list = try folder.write(objects.joined(separator: "\n"), to: "objects")
    try Self.compile(
      ["-module-name", "drafted", "-o", program] + sources
        + ["@\(list)", "-lxml2", "-lsqlite3", "-lz", "-lcrypto"])
  }

  /// Runs the program in the folder.
  func run(_ arguments: [String]) throws -> Program.Result {
    let command = ([program] + arguments).map { "'\($0)'" }.joined(separator: " ")
    return try Program.run(["-c", command], in: folder.path, program: nil)
  }

  private static func sources(under path: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.hasSuffix(".swift") }
      .map { "\(path)/\($0)" }
  }

  /// The folder of the build.
  private static func build() throws -> String {
    URL(fileURLWithPath: try Program.path()).deletingLastPathComponent().path
  }

  /// The object files of the program as built.
  private static func objectList() throws -> String {
    try String(
      contentsOfFile: "\(build())/convert.product/Objects.LinkFileList", encoding: .utf8)
  }

  private static func compile(_ arguments: [String]) throws {
    let build = try build()
    let maps =
      try FileManager.default.contentsOfDirectory(atPath: build)
      .map { "\(build)/\($0)/module.modulemap" } + [
        "\(Repository.root)/.build/checkouts/Yams/Sources/CYaml/include/module.modulemap"
      ]
    let options = maps.filter(FileManager.default.fileExists).flatMap {
      ["-Xcc", "-fmodule-map-file=\($0)"]
    }
    let result = try Program.run(
      ["-c", "exec swiftc \"$@\"", "swiftc", "-swift-version", "6", "-I", "\(build)/Modules"]
        + options + arguments, program: nil)
    try #require(result.status == 0, "\(result)")
    #expect(!result.errors.contains("warning:"), "\(result)")
  }
}
