import Foundation
import Support

/// A folder that is a model, or holds the versions of one.
struct ModelFolder {
  /// The kind of a folder.
  enum Kind {
    /// Compiled versions: an `.momd` folder.
    case compiledVersions
    /// Versions that Xcode edits: an `.xcdatamodeld` folder.
    case sourceVersions
    /// One version that Xcode edits: an `.xcdatamodel` folder.
    case source
    /// A mapping model's source: an `.xcmappingmodel` folder.
    case mapping
    /// Anything else.
    case other
  }

  static let contentsFileName = "contents"
  static let elementsFileName = "elements"
  /// The names of Xcode's files in the folder of a version: in Xcode 3 also the layout of its
  /// entities.
  static let versionFileNames: Set = [contentsFileName, elementsFileName, "layout"]
  static let mappingFileName = "xcmapping.xml"
  static let currentVersionFileName = ".xccurrentversion"
  static let sourceEnding = ".xcdatamodel"
  static let compiledEnding = ".mom"
  static let compiledMappingEnding = ".cdm"

  /// The path, without a slash at its end.
  let path: String

  init(_ path: String) {
    self.path = withoutLastSlashes(path)
  }

  /// The names of what is in the folder, sorted.
  func names() throws(ModelError) -> [String] {
    do throws(SystemError) {
      return try DirectoryListing(path).entries.map(\.name).sorted { $0.precedesInBytes($1) }
    } catch {
      throw ModelError(.unreadable, path: path, name: error.words)
    }
  }

  /// The kind of the folder, by its name and the names in it.
  func kind(_ names: [String]) -> Kind {
    if path.hasSuffix(".momd") || names.contains(VersionInfo.fileName) {
      .compiledVersions
    } else if names.contains(Self.contentsFileName) {
      .source
    } else if path.hasSuffix(".xcdatamodeld") || names.contains(Self.currentVersionFileName) {
      .sourceVersions
    } else if path.hasSuffix(Self.sourceEnding), names.contains(Self.elementsFileName) {
      .source
    } else if names.contains(Self.mappingFileName) {
      .mapping
    } else {
      .other
    }
  }

  // MARK: Versions that Xcode edits

  /// The names of the versions in an `.xcdatamodeld` folder, of all those in it.
  ///
  /// "Model 10" comes after "Model 9", which comes after "Model".
  func sourceVersions(_ names: [String]) -> [String] {
    let ending = Self.sourceEnding
    return names.filter { $0.hasSuffix(ending) }.sorted { one, other in
      let order = one.dropLast(ending.count)
        .compare(String(other.dropLast(ending.count)), options: .numeric)
      return order == .orderedSame ? one.precedesInBytes(other) : order == .orderedAscending
    }
  }

  /// The version that `.xccurrentversion` names, or the last by name.
  ///
  /// - Returns: The version, and a note if it was chosen of several by its name alone.
  func sourceVersion(
    _ names: [String]
  ) throws(ModelError) -> (name: String, note: ModelError?) {
    let versions = sourceVersions(names)
    if names.contains(Self.currentVersionFileName) {
      let list = try VersionInfo.Fields(contentsOf: "\(path)/\(Self.currentVersionFileName)")
      if let current = list.string("_XCCurrentVersionName") {
        return (try version(named: current, of: versions), nil)
      }
    }
    guard let last = versions.last else { throw ModelError(.missingModel, path: path) }
    guard versions.count > 1 else { return (last, nil) }
    return (
      last,
      ModelError(.assumedVersion, path: path, name: String(last.dropLast(Self.sourceEnding.count)))
    )
  }

  /// The file of a version that Xcode edits.
  ///
  /// - Parameter version: The name of its folder; nil for the folder itself.
  /// - Returns: The file: XML, or the archive of Xcode 3.
  /// - Throws: `ModelError` if there is neither.
  func source(in version: String?) throws(ModelError) -> ModelFile {
    let folder = version.map { ModelFolder("\(path)/\($0)") } ?? self
    let names = try folder.names()
    if names.contains(Self.contentsFileName) {
      return ModelFile(path: "\(folder.path)/\(Self.contentsFileName)", kind: .xml)
    }
    guard names.contains(Self.elementsFileName) else {
      throw ModelError(.missingModel, path: folder.path)
    }
    return ModelFile(path: "\(folder.path)/\(Self.elementsFileName)", kind: .archive)
  }

  // MARK: Compiled versions

  /// The names of the versions in an `.momd` folder, of all those in it.
  func compiledVersions(_ names: [String]) -> [String] {
    names.filter { $0.hasSuffix(Self.compiledEnding) }
  }

  /// The compiled model that `VersionInfo.plist` names, or the only one in the folder.
  func compiledVersion(_ names: [String]) throws(ModelError) -> String {
    let versions = compiledVersions(names)
    if names.contains(VersionInfo.fileName),
      let current = try VersionInfo(contentsOf: path).currentVersion
    {
      return try version(named: "\(current)\(Self.compiledEnding)", of: versions)
    }
    guard let only = versions.first else { throw ModelError(.missingModel, path: path) }
    guard versions.count == 1 else { throw ModelError(.ambiguousVersion, path: path) }
    return only
  }

  /// The name comes from a file: only one that the folder has is made part of a path.
  private func version(
    named name: String, of versions: [String]
  ) throws(ModelError) -> String {
    guard versions.contains(name) else {
      throw ModelError(.missingVersion, path: path, name: name)
    }
    return name
  }
}
