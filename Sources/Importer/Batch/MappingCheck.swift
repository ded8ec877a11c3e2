/// Checks a mapping without converting anything.
public struct MappingCheck: Sendable {
  /// The digest of the model, for the mapping's `modelDigest`; nil if there is no model.
  public let modelDigest: String?

  /// Checks the mapping that options name, by itself and against the model.
  ///
  /// - Parameter options: The paths of the mapping and of the model, and the policies.
  /// - Returns: What was found out on the way.
  /// - Throws: `ConversionError` with every mistake.
  public static func run(_ options: ConversionOptions) throws(ConversionError) -> MappingCheck {
    let guide = try ImportGuide(options)
    do throws(ConversionError) {
      _ = try guide.plan(Census(), PlanOptions(stripPrefix: options.stripPrefix))
    } catch {
      guard case .mapping(let found) = error, guide.model == nil else { throw error }
      // Without a model, such names and types may follow from the archives, which are not here.
      let certain = found.problems.filter { problem in
        ![.unknownProperty, .unknownDestination, .noConversion].contains(problem.code)
      }
      if let first = certain.first {
        throw .mapping(MappingError(path: found.path, first, Array(certain.dropFirst())))
      }
    }
    return MappingCheck(modelDigest: guide.model?.digest())
  }
}
