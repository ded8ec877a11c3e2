import Foundation
import TestSupport

/// Real mapping models, which stand beside the repository on some machines.
enum SharedMappings {
  /// Their folder; nil where it is absent.
  static let folder: String? = {
    let path = URL(fileURLWithPath: Repository.root).deletingLastPathComponent()
      .appendingPathComponent("shared/sources").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// The mapping models in it, sorted.
  static let all: [String] = {
    guard let folder, let files = FileManager.default.enumerator(atPath: folder) else { return [] }
    return files.compactMap { $0 as? String }.filter {
      $0.hasSuffix(".xcmappingmodel") || $0.hasSuffix(".cdm")
    }.sorted()
  }()

  /// The folders of model versions in it, sorted.
  static let models: [String] = {
    guard let folder, let files = FileManager.default.enumerator(atPath: folder) else { return [] }
    return files.compactMap { $0 as? String }.filter { $0.hasSuffix(".xcdatamodel") }.sorted()
  }()
}
