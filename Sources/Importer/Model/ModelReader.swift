import ArchiveReader
import Foundation

extension Model {
  /// Reads a Core Data model.
  ///
  /// Of several versions the current one is read. The entities and their properties are sorted by
  /// name, in the order of their UTF-8 bytes; an entity has only properties of its own, as
  /// inherited ones stay with the topmost entity that has them. Fetched properties, configurations
  /// and fetch requests are left out. Indexes are those that the model has when it is compiled.
  ///
  /// - Parameters:
  ///   - path: An `.xcdatamodeld` or `.xcdatamodel` folder, the `contents` file in the latter, an
  ///     `.momd` folder, a `.mom` file, or a Core Data store that carries its model.
  ///   - limits: How far the archive that a compiled model is may go.
  /// - Throws: An error that names the file, and the entity, property and line where it can.
  public init(
    contentsOf path: String, limits: ReadingLimits = .standard
  ) throws(ModelError) {
    self = try ModelSource(contentsOf: path, limits: limits).model
  }
}

/// The one file to read of a model that may be a folder of versions.
struct ModelFile {
  enum Kind {
    case xml
    case compiled
    case store
  }

  /// The largest file that is read: real ones have hundreds of kilobytes.
  private static let largestFile = 64 << 20

  let path: String
  let kind: Kind
  /// The folder with the `VersionInfo.plist` that tells of the file.
  private(set) var versionFolder: String?

  /// Finds the file in what a path leads to.
  init(_ path: String) throws(ModelError) {
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
  static func bytes(of path: String) throws(ModelError) -> Data {
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
    guard !CoreDataStore.isDatabase(path) else { return .store }
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

  private static func storage(of path: String) throws(ModelError) -> ByteStorage {
    do throws(ArchiveError) {
      return try ByteStorage(contentsOf: path)
    } catch {
      throw ModelError(.unreadable, path: path, name: error.name ?? "\(error)")
    }
  }
}
