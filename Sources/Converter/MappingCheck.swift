import Importer

/// Checks a mapping without converting anything.
public struct MappingCheck: Sendable {
  /// The digest of the model, for the mapping's `modelDigest`; nil if there is no model.
  public let modelDigest: String?
  /// The declarations of the model that Xcode warns of, but compiles.
  public let modelNotes: [String]
  /// The names of the mapping that match nothing in the archives; none if there are no archives.
  public private(set) var unusedNames: [ConversionReport.UnusedName] = []
  /// The archives that were looked at, and those that cannot be read, each with the reason.
  public private(set) var archives: [ConversionReport.Archive] = []

  /// Checks the mapping that options name, by itself and against the model.
  ///
  /// - Parameter options: The paths of the mapping and of the model, and the policies.
  /// - Returns: The findings of the check.
  /// - Throws: `ConversionError` with every mistake.
  public static func run(_ options: ConversionOptions) throws(ConversionError) -> MappingCheck {
    let configuration = try ImportConfiguration(options, isOnlyChecked: true)
    do throws(ConversionError) {
      _ = try configuration.plan(SchemaProfile(), PlanCompiler.Options(names: options.nameRules))
    } catch {
      guard case .mapping(let found) = error, configuration.model == nil else { throw error }
      // Without a model, such names and types may follow from the archives, which are not here.
      let certain = found.problems.filter { problem in
        ![.unknownProperty, .unknownDestination, .noConversion].contains(problem.code)
      }
      if let first = certain.first {
        throw .mapping(MappingError(path: found.path, first, Array(certain.dropFirst())))
      }
    }
    return MappingCheck(configuration)
  }

  private init(_ configuration: ImportConfiguration) {
    modelDigest = configuration.model?.digest()
    modelNotes = configuration.model?.notes.map { "\($0)" } ?? []
  }

  /// Checks the mapping that options name against archives as well.
  ///
  /// - Parameters:
  ///   - options: The same as above, and the options by which archives are read.
  ///   - inputs: Paths of archives and of directories with archives.
  /// - Returns: The findings of the check.
  /// - Throws: `ConversionError` with every mistake, or what stands in the way of reading.
  public static func run(
    _ options: ConversionOptions, against inputs: [String]
  ) throws(ConversionError) -> MappingCheck {
    guard !inputs.isEmpty else { return try run(options) }
    let first: Result<MappingCheck, ConversionError>
    do throws(ConversionError) {
      first = .success(try check(options, inputs))
    } catch {
      first = .failure(error)
    }
    if case .success(let checked) = first, checked.unusedNames.isEmpty { return checked }
    // Names may be those of archives in data values, which a run opens if it is asked to: also in
    // those of property lists that are no archives.
    var nested = options
    nested.opensNested = true
    guard var checked = try? check(nested, inputs) else { return try first.get() }
    checked.archives.removeAll { $0.place != nil }
    return checked
  }

  private static func check(
    _ options: ConversionOptions, _ inputs: [String]
  ) throws(ConversionError) -> MappingCheck {
    let configuration = try ImportConfiguration(options, isOnlyChecked: true)
    var options = options
    options.prepareMigration(configuration)
    var conversion = Conversion(inputs: inputs, destination: "", options: options)
    conversion.classesReadAsObjects = configuration.claimedClasses
    let (_, profile) = try conversion.surveyed()
    _ = try conversion.plan(for: profile, configuration)
    var checked = MappingCheck(configuration)
    checked.unusedNames = configuration.unusedNames(profile, conversion.planOptions)
    checked.archives = conversion.report.archives
    return checked
  }
}
