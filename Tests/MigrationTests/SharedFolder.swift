import Foundation
import TestSupport

/// The folder of real stores that stands beside the repository on some machines.
enum SharedFolder {
  /// A file or folder in it; nil where it is absent.
  static func path(_ name: String) -> String? {
    guard let corpus = Repository.corpus else { return nil }
    let path = URL(fileURLWithPath: corpus).deletingLastPathComponent()
      .appendingPathComponent(name).path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }
}
