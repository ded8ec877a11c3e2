import ArchiveReader
import Support

extension KeyedUnarchiver {
  /// Creates an unarchiver of a Core Data store of any kind, or of an archive.
  ///
  /// The objects of an entity are those of a class with its name, and their properties are the keys.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - models: The path of the model, or of its versions, or those of several that are merged; none
  ///     for a store that carries its own.
  ///   - options: The options.
  /// - Throws: `ArchiveError` if the file is not sound, or the model is not that of the store.
  public convenience init(
    contentsOf path: String, models: [String], options: UnarchivingOptions = UnarchivingOptions()
  ) throws(ArchiveError) {
    let kind = CoreDataStoreKind(modelPaths: models, limits: options.limits)
    let opener = SourceOpener(kinds: [kind, KeyedArchiveKind()], limits: options.limits)
    let file = try ByteStorage(contentsOf: path, leases: true)
    self.init(try opener.open(file, at: path), options: options)
  }
}
