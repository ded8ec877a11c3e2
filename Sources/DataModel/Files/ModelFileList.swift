import Foundation
import Support

/// All files of models and mapping models that a path leads to, with what is known of models as
/// versions.
///
/// A folder that is no model itself is searched for models and mapping models, with the folders in
/// it; stores, hidden folders and symbolic links to folders are passed over there.
package struct ModelFileList {
  /// A version of a model.
  package struct Version {
    /// The file.
    package var file: ModelFile
    /// True if its folder of versions names it as the current one, or it is the only one there.
    package var isCurrent: Bool
  }

  /// The limits for searching a folder.
  private enum Limit {
    static let depth = 16
    static let names = 100_000
    static let versions = 1_000
  }

  /// The versions, in the order of their folders, and by name in each.
  package private(set) var versions: [Version] = []
  /// The paths of the mapping models in a folder, in the same order: `.xcmappingmodel` folders and
  /// `.cdm` files.
  package private(set) var mappingModels: [String] = []
  /// The paths of the folders that are models, versions of them or mapping models: what else is in
  /// them belongs to these.
  package private(set) var packages: [String] = []
  /// The errors of files that should be versions, or tell of versions, and cannot be read.
  package private(set) var errors: [ModelError] = []
  /// Why it is not known which version of a model is the current one, or where that one is.
  package private(set) var currentError: ModelError?
  private var nameCount = 0

  /// Lists the files of models.
  ///
  /// - Parameter path: The path of a file or a folder.
  /// - Throws: `ModelError` if it, or a folder in it, cannot be read, since nobody knows what is
  ///   there; or if too much is in it.
  package init(_ path: String) throws(ModelError) {
    guard try ModelFile.isFolder(path) else {
      versions = [Version(file: try ModelFile(file: path), isCurrent: true)]
      return
    }
    var waiting = [(folder: ModelFolder(path), depth: 0)]
    while let (folder, depth) = waiting.popLast() {
      let folders = try add(folder)
      guard !folders.isEmpty else { continue }
      guard depth < Limit.depth else {
        errors.append(ModelError(.tooDeepFolder, path: folder.path, name: "\(Limit.depth)"))
        continue
      }
      // Taken from the end.
      waiting += folders.reversed().map { (ModelFolder("\(folder.path)/\($0)"), depth + 1) }
    }
  }

  /// Adds the versions in a folder; returns the names of the folders to search.
  private mutating func add(_ folder: ModelFolder) throws(ModelError) -> [String] {
    let names = try folder.names()
    nameCount += names.count
    guard nameCount <= Limit.names else {
      throw ModelError(.tooMany, path: folder.path, name: "files")
    }
    let kind = folder.kind(names)
    if kind != .other { packages.append(folder.path) }
    switch kind {
    case .compiledVersions:
      let current = attempt(isCurrent: true) { () throws(ModelError) in
        try folder.compiledVersion(names)
      }
      for name in folder.compiledVersions(names) {
        try add(ModelFile(compiledVersion: name, in: folder, names), isCurrent: name == current)
      }
    case .sourceVersions:
      let current = attempt(isCurrent: true) { () throws(ModelError) in
        try folder.sourceVersion(names)
      }
      for name in folder.sourceVersions(names) {
        let version = ModelFolder("\(folder.path)/\(name)")
        if try isFolder(name, in: folder, followsLinks: true) { _ = try version.names() }
        let isCurrent = name == current?.name
        let file = attempt(isCurrent: isCurrent) { () throws(ModelError) in
          try folder.source(in: name)
        }
        guard var file else { continue }
        if isCurrent { file.note = current?.note }
        try add(file, isCurrent: isCurrent)
      }
    case .source:
      let file = attempt(isCurrent: true) { () throws(ModelError) in try folder.source(in: nil) }
      if let file { try add(file, isCurrent: true) }
    case .mapping:
      mappingModels.append(folder.path)
      try add(
        ModelFile(path: "\(folder.path)/\(ModelFolder.mappingFileName)", kind: .mapping),
        isCurrent: false)
    case .other:
      mappingModels += names.filter { $0.hasSuffix(ModelFolder.compiledMappingEnding) }
        .map { "\(folder.path)/\($0)" }
      for name in names where name.hasSuffix(ModelFolder.compiledEnding) {
        try add(ModelFile(path: "\(folder.path)/\(name)", kind: .archive), isCurrent: true)
      }
      var folders: [String] = []
      for name in names where !name.hasPrefix(".") && !name.hasSuffix(ModelFolder.compiledEnding) {
        if try isFolder(name, in: folder, followsLinks: false) { folders.append(name) }
      }
      return folders
    }
    return []
  }

  /// True if a name in a folder is that of a folder.
  private func isFolder(
    _ name: String, in folder: ModelFolder, followsLinks: Bool
  ) throws(ModelError) -> Bool {
    do throws(SystemError) {
      let path = "\(folder.path)/\(name)"
      let status = try FileSystem.status(of: path, followsLinks: followsLinks)
      return status.st_mode & S_IFMT == S_IFDIR
    } catch {
      // It may have gone meanwhile.
      guard error.code != ENOENT, error.code != ELOOP else { return false }
      throw ModelError(.unreadable, path: folder.path, name: error.words)
    }
  }

  private mutating func add(_ file: ModelFile, isCurrent: Bool) throws(ModelError) {
    guard versions.count < Limit.versions else {
      throw ModelError(.tooMany, path: file.path, name: "versions")
    }
    versions.append(Version(file: file, isCurrent: isCurrent))
  }

  /// The result of a step, or nil; its error is kept.
  ///
  /// - Parameters:
  ///   - isCurrent: True if the step leads to the current version of a model.
  ///   - step: The step.
  /// - Returns: The result; nil if there is an error.
  private mutating func attempt<Result>(
    isCurrent: Bool, _ step: () throws(ModelError) -> Result
  ) -> Result? {
    do throws(ModelError) {
      return try step()
    } catch {
      errors.append(error)
      if isCurrent, currentError == nil { currentError = error }
      return nil
    }
  }
}

extension ModelFileList {
  /// The endings of the names of packages.
  private static let packageEndings = [".xcdatamodeld", ".xcdatamodel", ".momd", ".xcmappingmodel"]

  /// The folders around a file or folder that are models: versions next to one that is named are
  /// read, too.
  ///
  /// - Parameter path: The path of the file or folder.
  /// - Returns: Their paths, the innermost first.
  package static func packages(around path: String) -> [String] {
    var packages: [String] = []
    for path in [path, resolved(path)].compactMap(\.self) {
      var folder = parentFolder(of: path)
      while packageEndings.contains(where: folder.hasSuffix) {
        packages.append(folder)
        folder = parentFolder(of: folder)
      }
    }
    return packages
  }
}
