import Foundation
import TestSupport

/// Real mapping models, which stand beside the repository on some machines.
enum SharedMappings {
  /// Their folder; nil where it is absent.
  static let folder: String? = {
    let path = URL(fileURLWithPath: Repository.root).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("shared/sources").path
    let beside = URL(fileURLWithPath: Repository.root).deletingLastPathComponent()
      .appendingPathComponent("shared/sources").path
    return [beside, path].first { FileManager.default.fileExists(atPath: $0) }
  }()

  /// The mapping models in it, sorted.
  static let all: [String] = {
    guard let folder, let files = FileManager.default.enumerator(atPath: folder) else { return [] }
    return files.compactMap { $0 as? String }.filter {
      $0.hasSuffix(".xcmappingmodel") || $0.hasSuffix(".cdm")
    }.sorted()
  }()
}
