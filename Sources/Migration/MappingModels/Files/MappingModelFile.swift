import ArchiveReader
import DataModel
import Foundation
import GraphCore
import Support

/// A file with a mapping model, compiled or not.
package enum MappingModelFile: Sendable, Hashable {
  /// An `.xcmappingmodel`, which has to be compiled for the models that it leads between.
  case document(MappingModelDocument)
  /// A `.cdm`.
  case compiled(MappingModel)

  /// Reads a mapping model: an `.xcmappingmodel` folder, the `xcmapping.xml` in one, or a `.cdm`.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - limits: The limits for reading the archives in it.
  /// - Throws: `ModelError` if it is no mapping model, or damaged.
  package init(contentsOf path: String, limits: ReadingLimits = .standard) throws(ModelError) {
    self = try Self.read(path, limits: limits).file
  }

  /// Reads a mapping model, as above, with the bytes of its file.
  package static func read(
    _ path: String, limits: ReadingLimits = .standard
  ) throws(ModelError) -> (file: MappingModelFile, bytes: Data) {
    let file = try Self.file(path)
    do throws(ModelError) {
      let bytes = try ModelFile.bytes(of: file)
      return (try MappingModelFile(bytes, limits: limits), bytes)
    } catch {
      throw error.placed(in: file)
    }
  }

  /// Reads the bytes of an `xcmapping.xml` or of a `.cdm`.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - limits: The limits for reading the archives in it.
  /// - Throws: `ModelError` if it is no mapping model, or damaged.
  package init(_ bytes: Data, limits: ReadingLimits = .standard) throws(ModelError) {
    let head = FileHead(bytes)
    let kind = FileKind(head)
    let isXML = kind == .xml && !FileKind.isPropertyList(head)
    guard isXML || kind == .binaryPropertyList || kind == .xml else {
      throw ModelError(.notAMappingModel, name: "it is neither XML nor a keyed archive")
    }
    // A property list in XML may hold a compiled one.
    self =
      isXML || Self.isDatabase(head)
      ? .document(try MappingModelDocument(xml: bytes, limits: limits))
      : .compiled(try CompiledMappingReader.model(in: bytes, limits))
  }

  /// True if a path leads to a mapping model, by its content.
  ///
  /// It does if it is a folder with an `xcmapping.xml`, an XML store with a mapping model in it, or
  /// a keyed archive of one; the rest may be damaged.
  package static func isMappingModel(_ path: String, limits: ReadingLimits = .standard) -> Bool {
    guard let found = try? file(path) else { return false }
    // What has the name has to be one.
    guard found == path else { return true }
    guard let bytes = try? ModelFile.bytes(of: found) else { return false }
    return isDatabase(FileHead(bytes))
      ? MappingModelDocument.XMLMappingReader.findsMappingModel(in: bytes)
      : CompiledMappingReader.isMappingModel(bytes, limits)
  }

  /// True if XML is a store of Core Data's, the metadata of which are a property list.
  private static func isDatabase(_ head: FileHead) -> Bool {
    head.text.contains("<database")
  }

  /// The one file of what may be a folder.
  private static func file(_ path: String) throws(ModelError) -> String {
    do throws(SystemError) {
      let isFolder = try FileSystem.status(of: path).st_mode & S_IFMT == S_IFDIR
      guard isFolder else { return path }
      let file = "\(withoutLastSlashes(path))/xcmapping.xml"
      _ = try FileSystem.status(of: file)
      return file
    } catch {
      throw ModelError(.unreadable, path: path, name: error.words)
    }
  }
}
