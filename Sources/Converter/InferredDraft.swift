import Foundation
import GraphCore
import Importer
import Support

/// A draft of a mapping, and of a Core Data model, drawn from archives.
public struct InferredDraft {
  /// The archives that were left out, each with the reason.
  public let rejected: [(path: String, error: String)]
  /// The classes that the options name and that the archives do not have.
  public let unusedNames: [ConversionReport.UnusedName]

  let profile: SchemaProfile
  let model: Model
  /// The model of the inputs, where they are stores of one.
  let declared: Model?
  private let names: [String]
  private let read: ReadFiles
  private let nameRules: NameRules
  private let seeThrough: [String]
  /// The paths of dictionaries that are records.
  let records: [String]
  /// The lists of classes in typedstreams.
  private let lists: [String: [Int]]

  /// Takes the profile of archives and draws a model from it.
  ///
  /// - Parameters:
  ///   - inputs: Paths of archives and of directories with archives.
  ///   - options: The prefix of class names, what to do with archives that cannot be read, limits.
  /// - Throws: `ConversionError` if there is nothing to draw from.
  public init(inputs: [String], options: ConversionOptions) throws(ConversionError) {
    var conversion = Conversion(inputs: inputs, destination: "", options: options)
    let (accepted, profile) = try conversion.surveyed()
    rejected = conversion.report.archives.compactMap { archive in
      archive.error.map { (archive.path, $0) }
    }
    self.profile = profile
    unusedNames = profile.unusedOptions(
      seeThrough: options.seeThrough, stripPrefix: options.stripPrefix)
    let files = accepted.map(\.input).filter { $0.nesting == nil }
    names = files.map { fileName(of: $0.path) }
    let paths = files.map(\.path) + conversion.report.archives.map(\.path)
    read = ReadFiles(
      paths.map { InputFinder.Input(path: $0, isNamed: true, nameSize: 0) }, options)
    nameRules = options.nameRules
    seeThrough = options.seeThrough
    records = (conversion.options.recordRules?.classNames ?? [:])
      .filter { _, name in
        // Classes of a profile go by the texts of their names.
        profile.knownIndex(of: ArchivedName.text(name))
          .map { profile.classes[$0].count > 0 } == true
      }
      .keys.map(ArchivedName.plain).sorted { $0.precedesInBytes($1) }
    lists = conversion.options.positions.classes.compactMapValues { rules in
      guard let arities = rules.arities, !arities.isEmpty else { return nil }
      return Array(arities.keys)
    }
    declared = profile.declared.source?.model
    model =
      declared?.withStoredProperties(names: nameRules)
      ?? ModelInference.infer(
        from: profile, names: nameRules, reservedNames: RelationalLayout.reservedTableNames)
  }

  /// Writes the mapping and, if asked for, the model: both or none.
  ///
  /// - Parameters:
  ///   - mapping: The path of the mapping file.
  ///   - modelPath: The path of the model, which ends in ".xcdatamodeld"; nil for none.
  ///   - replacing: Whether files that are there are replaced.
  /// - Throws: `ConversionError` if something is there already or cannot be written.
  public func write(
    mapping: String, model modelPath: String?, replacing: Bool
  ) throws(ConversionError) {
    var read = read
    do throws(StoreError) {
      try read.check(.file(mapping))
      if let modelPath { try read.check(.folder(modelPath)) }
    } catch {
      throw .store(error)
    }
    try Self.check(mapping: mapping, model: modelPath, replacing: replacing)
    var options = MappingDraft.Options()
    options.fileName = fileName(of: mapping)
    options.archiveNames = names
    options.nameRules = nameRules
    options.seeThrough = seeThrough
    (options.records, options.lists) = (records, lists)
    options.isDeclared = declared != nil
    var described = model
    var folder: PreparedFolder?
    if let modelPath {
      // An app's own model has names that Core Data takes.
      let own = nameRules.stripPrefix == nil ? declared : nil
      let plain = own == nil ? XMLModelWriter(model).model : model
      let writer = XMLModelWriter(own ?? CoreDataDraft.model(plain, profile))
      do throws(ModelError) {
        let prepared = try writer.prepare(for: modelPath)
        options.modelDigest = try Model(contentsOf: prepared.path).digest()
        folder = prepared
      } catch {
        throw .model(error)
      }
      described = plain
      options.model = relativePath(of: modelPath, besides: mapping)
    }
    let text = MappingDraft.text(profile: profile, model: described, options: options)
    try Self.write(text, to: mapping, folder, to: modelPath ?? "", replacing: replacing)
  }

  /// Writes the text, and gives both their names when both are on disk.
  static func write(
    _ text: String, to mapping: String, _ folder: PreparedFolder? = nil, to model: String = "",
    replacing: Bool
  ) throws(ConversionError) {
    // What goes into a pipe or a device cannot be taken back.
    let isSpecial = FileIdentity(path: mapping).map { !$0.isRegularFile } ?? false
    if isSpecial, let reason = OutputFile.write(text, to: mapping) {
      throw .unwritable(path: mapping, reason: "cannot be written: \(reason)")
    }
    var path = mapping
    do throws(SystemError) {
      let file =
        isSpecial
        ? nil
        : try PreparedFile(mapping) { (descriptor) throws(SystemError) in
          try OutputFile.write(text.utf8, to: descriptor)
        }
      path = model
      try folder?.publish(replacing: replacing)
      path = mapping
      do throws(SystemError) {
        try file?.publish()
      } catch {
        try folder?.withdraw()
        throw error
      }
    } catch {
      throw .unwritable(path: path, reason: "cannot be written: \(error.words)")
    }
  }

  /// Refuses outputs that could not be written, before anything is read.
  ///
  /// - Parameters:
  ///   - mapping: The path of the mapping file.
  ///   - modelPath: The path of the model; nil for none.
  ///   - replacing: Whether files that are there are replaced.
  /// - Throws: `ConversionError`.
  public static func check(
    mapping: String, model modelPath: String?, replacing: Bool
  ) throws(ConversionError) {
    for path in [mapping, modelPath].compactMap({ $0 }) {
      // A link that leads nowhere is something, too.
      if fileStatus(path, followsLinks: false) != nil, !replacing {
        throw .unwritable(path: path, reason: "already exists (use --force to overwrite it)")
      }
    }
    let obstacle = OutputFile.obstacle(to: mapping).map { (mapping, $0) }
    let modelObstacle = modelPath.flatMap { path in
      OutputFile.obstacle(toFolder: path).map { (path, $0) }
    }
    if let (path, reason) = obstacle ?? modelObstacle {
      throw .unwritable(path: path, reason: "cannot be written: \(reason)")
    }
    if let modelPath, let reason = XMLModelWriter.obstacle(toReplacing: modelPath) {
      throw .unwritable(path: modelPath, reason: "is not replaced: \(reason)")
    }
  }

  /// The path of the model as the mapping gives it: relative to the mapping's folder, if it lies
  /// there.
  private func relativePath(of path: String, besides file: String) -> String {
    let folder = URL(fileURLWithPath: file).standardizedFileURL.deletingLastPathComponent().path
    let whole = URL(fileURLWithPath: path).standardizedFileURL.path
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return whole.hasPrefix(prefix) ? String(whole.dropFirst(prefix.count)) : whole
  }
}
