/// An NSMappingModel: how Core Data makes the instances of one model into those of another.
///
/// It is what a compiled mapping model (`.cdm`) holds. The keys are those of a compiled one of
/// Xcode's; what it says of itself twice (`NSEntityMappingsByName`) is read once.
public struct ArchivedMappingModel: KeyedDecodable {
  /// The archived class.
  public static let archivedClassNames = ["NSMappingModel"]

  /// What becomes of each entity, in the order in which Core Data goes through them.
  public let entityMappings: [EntityMapping]

  /// Decodes a mapping model.
  ///
  /// - Parameter coder: The object's keys.
  /// - Throws: `ArchiveError` for a value of another kind.
  public init(coder: KeyedCoder) throws {
    entityMappings =
      try coder.decodeArrayOfObjects(
        of: EntityMapping.self, forKey: "NSEntityMappings") ?? []
  }

  /// Reads a compiled mapping model.
  ///
  /// - Parameters:
  ///   - path: The path of a `.cdm` file.
  ///   - limits: How far hostile files are followed.
  /// - Throws: `ArchiveError` if it is no keyed archive, is damaged, or its root is something else.
  public init(contentsOf path: String, limits: ReadingLimits = .standard) throws {
    var options = UnarchivingOptions(
      types: [Self.self, EntityMapping.self, PropertyMapping.self])
    options.limits = limits
    let unarchiver = try KeyedUnarchiver(contentsOf: path, options: options)
    guard let model = try unarchiver.decodeRoot(of: Self.self) else {
      throw ArchiveError(.wrongKind, at: .topLevelKey("root"), name: "a mapping model")
    }
    self = model
  }
}
