import ArchiveReader
import Foundation

/// A model that is a keyed archive: compiled, or as Xcode 3 edits it.
package struct ArchivedModel {
  /// The model.
  package let model: Model
  /// True if the archive is compiled: the content of a `.mom` file.
  package let isCompiled: Bool

  /// Reads the archive in a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limits: The limits for reading the archive.
  /// - Throws: `ModelError` without the path.
  package init(contentsOf path: String, _ limits: ReadingLimits) throws(ModelError) {
    try self.init(
      ModelArchive.reading { () throws(ArchiveError) in
        try KeyedArchive(contentsOf: path, limits: limits)
      }, limits)
  }

  /// Reads an archive.
  ///
  /// - Parameters:
  ///   - bytes: The archive.
  ///   - limits: The limits for reading it.
  /// - Throws: `ModelError` without a path.
  package init(_ bytes: Data, _ limits: ReadingLimits) throws(ModelError) {
    try self.init(
      ModelArchive.reading { () throws(ArchiveError) in
        try KeyedArchive(bytes: bytes, limits: limits)
      }, limits)
  }

  private init(_ archive: KeyedArchive, _ limits: ReadingLimits) throws(ModelError) {
    (model, isCompiled) = try withExtendedLifetime(archive) { () throws(ModelError) in
      var archive = ModelArchive(archive, limits)
      guard let root = try archive.root() else {
        throw ModelError(.notAModel, name: "the archive has no root")
      }
      if archive.isA(XDPMReader.rootClass, root) {
        var reader = XDPMReader(archive)
        return (try reader.model(root), false)
      }
      guard archive.isA(CompiledReader.rootClass, root) else {
        throw archive.isA("NSMappingModel", root)
          ? ModelError(.missingModel)
          : ModelError(.notAModel, name: "its root is not an \(CompiledReader.rootClass)")
      }
      var reader = CompiledReader(archive)
      return (try reader.model(root), true)
    }
  }
}
