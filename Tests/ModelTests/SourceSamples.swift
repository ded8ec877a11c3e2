import Foundation
import TestSupport

@testable import CoreDataStores
@testable import DataModel

/// Real stores, models and mapping models, which stand beside the repository on some machines.
enum SourceSamples {
  /// Why the suites that need them are skipped.
  static let absence = "the folder of real stores and models is absent"

  /// The folder of samples, one folder for each application; nil where it is absent.
  static let folder: String? = sharedFolder("sources")

  /// The folder of real stores with their models; nil where it is absent.
  static let pairs: String? = sharedFolder("coredata")

  /// The paths of all files in the samples with a name or an ending, sorted.
  static func files(_ endings: String...) -> [String] {
    guard let folder, let found = FileManager.default.enumerator(atPath: folder) else { return [] }
    return found.compactMap { $0 as? String }
      .filter { name in endings.contains { name.hasSuffix($0) } }.sorted()
  }

  /// The absolute path of a sample.
  static func path(_ name: String) -> String { "\(folder ?? "")/\(name)" }

  /// The folder of models of the application that a sample belongs to.
  static func models(of name: String) -> String {
    let application = name.split(separator: "/").first.map(String.init) ?? ""
    let root = path(application)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let models = names.first { $0 == "models" || $0.hasSuffix(".xcdatamodeld") }
    return "\(root)/\(models ?? "")"
  }

  /// A copy of a store, with what belongs to it: the samples are read-only.
  static func copy(_ path: String, to folder: TemporaryFolder) throws -> String {
    for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: path + ending) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path + ending))
      try folder.write(bytes, to: "store.sqlite\(ending)")
    }
    return folder.file(named: "store.sqlite")
  }

  private static func sharedFolder(_ name: String) -> String? {
    let path = URL(fileURLWithPath: Repository.root).deletingLastPathComponent()
      .appendingPathComponent("shared/\(name)").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }
}
