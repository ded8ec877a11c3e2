import ArchiveReader
import Foundation
import Support

/// The one file to read of a model that may be a folder of versions.
package struct ModelFile: Sendable, Equatable {
  /// The forms of a model.
  package enum Kind: Sendable {
    /// The XML of Xcode 4 and later: the file `contents`.
    case xml
    /// A keyed archive: a `.mom` file, or the file `elements` of Xcode 3.
    case archive
    /// A mapping model's source, `xcmapping.xml`, which embeds two models.
    case mapping
    /// An SQLite store of Core Data, which may carry its model.
    case store
  }

  /// The endings of the names of models, and of their folders.
  package static let endings = [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"]

  /// The largest file that is read: real ones have hundreds of kilobytes.
  private static let largestFile = 64 << 20

  /// The path of the file.
  package let path: String
  /// The kind of the file.
  package let kind: Kind
  /// The folder with the `VersionInfo.plist` that tells of the file.
  package private(set) var versionFolder: String?
  /// Notes on the choice of the version.
  package internal(set) var note: ModelError?

  /// Finds the file in what a path leads to.
  package init(_ path: String) throws(ModelError) {
    guard try Self.isFolder(path) else {
      try self.init(file: path)
      return
    }
    let folder = ModelFolder(path)
    let names = try folder.names()
    switch folder.kind(names) {
    case .compiledVersions:
      let version = try folder.compiledVersion(names)
      self.init(compiledVersion: version, in: folder, names)
    case .sourceVersions:
      let version = try folder.sourceVersion(names)
      self = try folder.source(in: version.name)
      note = version.note
    case .source:
      self = try folder.source(in: nil)
    case .mapping:
      self.init(path: "\(folder.path)/\(ModelFolder.mappingFileName)", kind: .mapping)
    case .other:
      let models = try ModelFileList(path).versions.filter { $0.isCurrent }.map(\.file)
      if models.count == 1 {
        self = models[0]
      } else if models.isEmpty {
        throw ModelError(
          folder.path.hasSuffix(ModelFolder.sourceEnding) ? .missingModel : .unknownKind,
          path: folder.path)
      } else {
        throw ModelError(
          .severalModels, path: folder.path, name: Self.list(models.map(\.versionName)))
      }
    }
  }

  /// The names of some models in words, those of a few at most.
  package static func list(_ names: [String]) -> String {
    let (names, most) = (names.uniqued(), 5)
    var words = names.prefix(most).map { "'\($0)'" }
    if names.count > most { words.append("\(names.count - most) more") }
    return Words.list(words, "and")
  }

  /// A file whose kind is known.
  init(path: String, kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// A version in an `.momd` folder.
  init(compiledVersion name: String, in folder: ModelFolder, _ names: [String]) {
    self.init(path: "\(folder.path)/\(name)", kind: .archive)
    versionFolder = names.contains(VersionInfo.fileName) ? folder.path : nil
  }

  /// Tells what a file is, by its bytes.
  init(file path: String) throws(ModelError) {
    self.init(path: path, kind: try Self.kind(of: path))
  }

  /// The name of the version: of the file, or of the folder that a `contents` or `elements` file
  /// is in.
  package var versionName: String {
    let parts = path.split(separator: "/").map(String.init)
    guard let last = parts.last else { return path }
    let isInside = [
      ModelFolder.contentsFileName, ModelFolder.elementsFileName, ModelFolder.mappingFileName,
    ].contains(last)
    return Self.versionName(isInside ? parts.dropLast().last ?? last : last)
  }

  /// The name of a version, from that of its file or folder.
  package static func versionName(_ fileName: String) -> String {
    for ending in [ModelFolder.sourceEnding, ModelFolder.compiledEnding, ".xcmappingmodel"]
    where fileName.hasSuffix(ending) && fileName != ending {
      return String(fileName.dropLast(ending.count))
    }
    return fileName
  }

  // MARK: Files

  /// The bytes of a model.
  package static func bytes(of path: String) throws(ModelError) -> Data {
    let file = try storage(of: path)
    guard file.count <= largestFile else {
      throw ModelError(.tooLarge, path: path, name: "\(largestFile)")
    }
    return file.data
  }

  /// True if a path leads to a folder.
  package static func isFolder(_ path: String) throws(ModelError) -> Bool {
    do throws(SystemError) {
      return try FileSystem.status(of: path).st_mode & S_IFMT == S_IFDIR
    } catch {
      throw ModelError(.unreadable, path: path, name: error.words)
    }
  }

  /// The kind of a file.
  ///
  /// A keyed archive may be XML too; one that is named `.mom` is nothing else.
  private static func kind(of path: String) throws(ModelError) -> Kind {
    guard !path.hasSuffix(ModelFolder.compiledEnding) else { return .archive }
    guard !isDatabase(path) else { return .store }
    let file = try storage(of: path)
    let head = file.head
    switch FileKind(head) {
    case .xml: break
    case .binaryPropertyList: return .archive
    default:
      guard head.starts(with: "<model") else { throw ModelError(.unknownKind, path: path) }
    }
    switch rootElement(of: file) {
    case "database": return .mapping
    case "plist": return .archive
    default: return .xml
    }
  }

  /// The name of the first element of an XML document; nil if there is none to be found.
  private static func rootElement(of document: ByteStorage) -> String? {
    var name: String?
    // The document may be damaged after it.
    try? XMLDocumentReader.read(document) { event, _ in
      guard case .start(let root, _) = event else { return true }
      name = root
      return false
    }
    return name
  }

  /// True if a file is an SQLite database, by its first bytes.
  package static func isDatabase(_ path: String) -> Bool {
    guard let file = try? FileSystem.open(path) else { return false }
    defer { close(file) }
    return (try? FileHead(of: file))?.isDatabase ?? false
  }

  private static func storage(of path: String) throws(ModelError) -> ByteStorage {
    do throws(ArchiveError) {
      return try ByteStorage(contentsOf: path)
    } catch {
      throw ModelError(.unreadable, path: path, name: error.name ?? "\(error)")
    }
  }
}
