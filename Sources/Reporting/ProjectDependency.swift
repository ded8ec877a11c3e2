import Foundation
import Importer

/// This project, as Swift packages that the program writes depend on it.
public enum ProjectDependency: Sendable {
  /// The path of a checkout.
  case path(String)
  /// The URL of a repository.
  case url(String)

  /// The dependency in a manifest.
  package var declaration: String {
    switch self {
    case .path(let path):
      ".package(name: \(SwiftSource.literal(package)), path: \(SwiftSource.literal(path)))"
    case .url(let url): ".package(url: \(SwiftSource.literal(url)), branch: \"main\")"
    }
  }

  /// A product in a manifest, as a target depends on it.
  package func product(_ name: String) -> String {
    ".product(name: \"\(name)\", package: \(SwiftSource.literal(package)))"
  }

  private var package: String {
    guard case .url(let url) = self else { return "ArchiveConverter" }
    let name = (url as NSString).lastPathComponent
    return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
  }
}
