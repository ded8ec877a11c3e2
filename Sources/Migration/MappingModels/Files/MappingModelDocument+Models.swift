import DataModel
import Foundation
import GraphCore
import Support

extension MappingModelDocument {
  /// The source model as it was when the mapping model was last edited.
  ///
  /// - Parameter limits: How far its archive is followed.
  /// - Returns: The model; nil if there is none in the file.
  /// - Throws: `ModelError` if it is damaged.
  package func embeddedSourceModel(
    limits: ReadingLimits = .standard
  ) throws(ModelError) -> Model? {
    guard let sourceModelData else { return nil }
    return try ArchivedModel(sourceModelData, limits).model
  }

  /// The destination model as it was when the mapping model was last edited.
  ///
  /// - Parameter limits: How far its archive is followed.
  /// - Returns: The model; nil if there is none in the file.
  /// - Throws: `ModelError` if it is damaged.
  package func embeddedDestinationModel(
    limits: ReadingLimits = .standard
  ) throws(ModelError) -> Model? {
    guard let destinationModelData else { return nil }
    return try ArchivedModel(destinationModelData, limits).model
  }
}
