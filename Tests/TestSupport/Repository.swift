import Foundation

/// Where the tests find the project's own files.
package enum Repository {
  /// The root of the repository.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// The folder of sample archives.
  package static let samples = "\(root)/SampleArchives"

  /// The sample archives.
  package static let sampleArchives: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: samples)
    return (names ?? []).filter { $0.hasSuffix(".archive") || $0.hasSuffix(".xml") }.sorted()
      .map { "\(samples)/\($0)" }
  }()

  /// A folder of real archives that stands beside the repository on some machines; nil elsewhere.
  package static let corpus = shared("corpus")

  /// A folder of real compiled nibs beside the repository; nil elsewhere.
  package static let nibs = shared("nibs")

  private static func shared(_ name: String) -> String? {
    let path = URL(fileURLWithPath: root).deletingLastPathComponent()
      .appendingPathComponent("shared/\(name)").path
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? path : nil
  }

  /// The folders of the corpus; none where it is absent.
  package static let corpusFolders: [String] = {
    guard let corpus else { return [] }
    let names = try? FileManager.default.contentsOfDirectory(atPath: corpus)
    return (names ?? []).sorted().map { "\(corpus)/\($0)" }.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && isFolder.boolValue
    }
  }()

  /// The files in a folder of the corpus, sorted; none where the corpus is absent.
  package static func corpusFiles(in folder: String) -> [String] {
    guard let corpus else { return [] }
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(corpus)/\(folder)")
    return (names ?? []).sorted().map { "\(corpus)/\(folder)/\($0)" }
  }

  /// What fuzzing once found: see Fuzz/README.md.
  package static let fuzzCrashes: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(root)/Fuzz/crashes")
    return (names ?? []).sorted().map { "\(root)/Fuzz/crashes/\($0)" }
  }()
}
