import ArchiveReader
import DataModel

extension Model {
  /// Reads a Core Data model.
  ///
  /// Of several versions the current one is read. The entities and their properties are sorted by
  /// name, in the order of their UTF-8 bytes; an entity has only properties of its own, as
  /// inherited ones stay with the topmost entity that has them. Fetched properties, configurations
  /// and fetch requests are left out. Indexes are those that the model has when it is compiled.
  ///
  /// - Parameters:
  ///   - path: An `.xcdatamodeld` or `.xcdatamodel` folder, the `contents` or `elements` file in
  ///     the latter, an `.momd` folder, a `.mom` file, or a Core Data store that carries its model.
  ///   - limits: The limits for reading the archive that a model may be.
  /// - Throws: An error that names the file, and the entity, property and line where it can.
  public init(
    contentsOf path: String, limits: ReadingLimits = .standard
  ) throws(ModelError) {
    self = try ModelSource(contentsOf: path, limits: limits).model
  }
}
