import ArgumentParser
import Converter
import Foundation

/// The option that tells packages where this project is.
struct ProjectOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What the package depends on: the folder or the URL of a checkout of this project. (default: "
        + "the folder that the program was built in)", valueName: "folder|url"),
    completion: .directory)
  var project: String?

  /// The project that the package depends on.
  ///
  /// - Throws: `ValidationError` if there is no such thing.
  func dependency() throws -> ProjectDependency {
    if let found { return found }
    throw ValidationError(
      project.map { "There is no checkout of this project at '\($0)'." }
        ?? "Give a checkout of this project, or its URL, with --project.")
  }

  private var found: ProjectDependency? {
    guard let project else {
      var folder = Bundle.main.executableURL?.resolvingSymlinksInPath()
      while let next = folder?.deletingLastPathComponent(), next.path != folder?.path {
        if Self.isCheckout(next.path) { return .path(next.path) }
        folder = next
      }
      return nil
    }
    if project.contains("://") || project.hasPrefix("git@") { return .url(project) }
    let path = URL(fileURLWithPath: project).standardizedFileURL.path
    return Self.isCheckout(path) ? .path(path) : nil
  }

  private static func isCheckout(_ path: String) -> Bool {
    (try? String(contentsOfFile: "\(path)/Package.swift", encoding: .utf8))?
      .contains("name: \"ArchiveConverter\"") == true
  }
}
