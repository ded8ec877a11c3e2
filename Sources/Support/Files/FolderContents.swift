import Foundation
import GraphCore

/// The paths of everything in a folder, at any depth.
///
/// Links are listed, and so is what is in folders that they lead to; each folder is looked into
/// once. What cannot be listed is passed over.
package struct FolderContents {
  package private(set) var paths: [String] = []

  /// The most paths that are listed: beyond real models.
  private static let maxPaths = 100_000

  /// Lists a folder.
  package init(of path: String) {
    var waiting = [path]
    var seen: Set<FileIdentity> = []
    while let folder = waiting.popLast() {
      guard let identity = FileIdentity(path: folder), seen.insert(identity).inserted,
        let listing = try? DirectoryListing(folder)
      else { continue }
      for (name, kind) in listing.entries {
        guard paths.count < Self.maxPaths else { return }
        let path = "\(folder)/\(name)"
        paths.append(path)
        if kind == .directory || kind == .unknown { waiting.append(path) }
      }
    }
  }
}
