import ArchiveReader
import Foundation
import Support

/// The one file to read of a model that may be a folder of versions.
package struct ModelFile {
  package enum Kind {
    case xml
    case compiled
    case store
  }

  /// The largest file that is read: real ones have hundreds of kilobytes.
  private static let largestFile = 64 << 20

  package let path: String
  package let kind: Kind
  /// The folder with the `VersionInfo.plist` that tells of the file.
  package private(set) var versionFolder: String?

  /// Finds the file in what a path leads to.
  package init(_ path: String) throws(ModelError) {
    let isFolder: Bool
    do throws(SystemError) {
      isFolder = try FileSystem.status(of: path).st_mode & S_IFMT == S_IFDIR
    } catch {
      throw ModelError(
        .unreadable, path: path, name: error.code == ENOENT ? "no such file" : error.words)
    }
    guard isFolder else {
      self.path = path
      kind = try Self.kind(of: path)
      return
    }
    var folder = path
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    let names = try Self.names(in: folder)
    if folder.hasSuffix(".momd") || names.contains(VersionInfo.fileName) {
      self.path = try Self.compiledVersion(in: folder, names)
      kind = .compiled
      versionFolder = names.contains(VersionInfo.fileName) ? folder : nil
    } else if names.contains("contents") {
      self.path = "\(folder)/contents"
      kind = .xml
    } else if folder.hasSuffix(".xcdatamodeld") || names.contains(Self.currentVersionFileName) {
      self.path = "\(try Self.xmlVersion(in: folder, names))/contents"
      kind = .xml
    } else if folder.hasSuffix(".xcdatamodel"), names.contains("elements") {
      throw ModelError(.oldModel, path: folder)
    } else if folder.hasSuffix(".xcdatamodel") {
      throw ModelError(.missingModel, path: folder)
    } else {
      throw ModelError(.unknownKind, path: folder)
    }
  }

  /// The bytes of a model.
  package static func bytes(of path: String) throws(ModelError) -> Data {
    let file = try storage(of: path)
    guard file.bytes.count <= largestFile else {
      throw ModelError(.tooLarge, path: path, name: "\(largestFile)")
    }
    return withExtendedLifetime(file) { Data(file.bytes) }
  }

  // MARK: Versions

  private static let currentVersionFileName = ".xccurrentversion"

  /// The model in a folder of versions that its `.xccurrentversion` names, or the last by name.
  ///
  /// "Model 10" comes after "Model 9", which comes after "Model".
  private static func xmlVersion(
    in folder: String, _ names: [String]
  ) throws(ModelError) -> String {
    let suffix = ".xcdatamodel"
    let versions = names.filter { $0.hasSuffix(suffix) }
    if names.contains(currentVersionFileName) {
      let list = try PropertyListDictionary(contentsOf: "\(folder)/\(currentVersionFileName)")
      if let current = list.string("_XCCurrentVersionName") {
        return try version(named: current, of: versions, in: folder)
      }
    }
    let last = versions.max { one, other in
      one.dropLast(suffix.count).compare(String(other.dropLast(suffix.count)), options: .numeric)
        == .orderedAscending
    }
    guard let last else { throw ModelError(.missingModel, path: folder) }
    return "\(folder)/\(last)"
  }

  /// The compiled model that `VersionInfo.plist` names, or the only one in the folder.
  private static func compiledVersion(
    in folder: String, _ names: [String]
  ) throws(ModelError) -> String {
    let versions = names.filter { $0.hasSuffix(".mom") }
    if names.contains(VersionInfo.fileName),
      let current = try VersionInfo(contentsOf: folder).currentVersion
    {
      return try version(named: "\(current).mom", of: versions, in: folder)
    }
    guard let only = versions.first else { throw ModelError(.missingModel, path: folder) }
    guard versions.count == 1 else { throw ModelError(.ambiguousVersion, path: folder) }
    return "\(folder)/\(only)"
  }

  /// The name comes from a file: only one that the folder has is made part of a path.
  private static func version(
    named name: String, of versions: [String], in folder: String
  ) throws(ModelError) -> String {
    guard let found = versions.first(where: { $0 == name }) else {
      throw ModelError(.missingVersion, path: folder, name: name)
    }
    return "\(folder)/\(found)"
  }

  // MARK: Files

  private static func names(in folder: String) throws(ModelError) -> [String] {
    do throws(SystemError) {
      return try DirectoryListing(folder).entries.map(\.name).sorted { $0.precedesInBytes($1) }
    } catch {
      throw ModelError(.unreadable, path: folder, name: error.words)
    }
  }

  /// What a file is.
  ///
  /// A keyed archive may be XML too, but is named `.mom` then.
  private static func kind(of path: String) throws(ModelError) -> Kind {
    guard !path.hasSuffix(".mom") else { return .compiled }
    guard !isDatabase(path) else { return .store }
    let file = try storage(of: path)
    return try withExtendedLifetime(file) { () throws(ModelError) in
      switch FileKind(file.bytes) {
      case .xml: return .xml
      case .binaryPropertyList: return .compiled
      default:
        guard file.bytes.starts(with: "<model".utf8) else {
          throw ModelError(.unknownKind, path: path)
        }
        return .xml
      }
    }
  }

  /// Whether a file is an SQLite database, by its first bytes.
  package static func isDatabase(_ path: String) -> Bool {
    let mark = Array("SQLite format 3\0".utf8)
    guard let file = try? FileSystem.open(path) else { return false }
    defer { close(file) }
    var head: [UInt8] = Array(repeating: 0, count: mark.count)
    let count = head.withUnsafeMutableBytes { try? FileSystem.read(file, into: $0) }
    return count == mark.count && head == mark
  }

  private static func storage(of path: String) throws(ModelError) -> ByteStorage {
    do throws(ArchiveError) {
      return try ByteStorage(contentsOf: path)
    } catch {
      throw ModelError(.unreadable, path: path, name: error.name ?? "\(error)")
    }
  }
}
