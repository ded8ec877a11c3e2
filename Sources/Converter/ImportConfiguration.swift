import ArchiveReader
import Foundation
import Importer
import Support

/// The settings of an import beside the archives: the model, the mapping, the hooks.
struct ImportConfiguration {
  /// The name, in messages, of the mapping that a store keeps, if its path is not known.
  static let storedMapping = "the mapping of the store"

  /// The model, with its hashes and its compiled form where they are known.
  let source: ModelSource?
  private let mapping: Mapping?
  let mappingPath: String?
  private let preset: Preset?
  /// The paths of the model; stores that do not carry theirs are read by it, too.
  let modelPaths: [String]
  /// True if the model is the one that the mapping names.
  private let isMappingsModel: Bool
  private let modelVersions: ModelVersionsCache
  let templatePath: String?
  private let layout: StoreLayout
  /// The mapping file as it stands.
  let mappingText: String?
  let extensions: ImportExtensions
  private let limits: ReadingLimits
  private let names: NameRules
  /// The classes of wrappers, and the prefix of classes, that the options name.
  private let seeThroughOption: [String]
  /// The reason why the given models leave open which of them is meant; nil if one is, or none was
  /// given.
  private let undecided: ModelError?
  private let stripPrefixOption: String?

  /// Reads the model and the mapping that options name.
  ///
  /// - Parameters:
  ///   - options: The options.
  ///   - isOnlyChecked: True if the mapping is checked and not used, so that it may be meant for a
  ///     migration.
  /// - Throws: `ConversionError` if one of them cannot be used.
  init(_ options: ConversionOptions, isOnlyChecked: Bool = false) throws(ConversionError) {
    extensions = options.extensions
    limits = options.limits
    (seeThroughOption, stripPrefixOption) = (options.seeThrough, options.stripPrefix)
    (mappingPath, preset) = (options.mappingPath, options.preset)
    do throws(MappingError) {
      // It is read once: what the store keeps is what rows are made by.
      var text = options.mappingText ?? options.preset?.mapping
      if text == nil, let path = options.mappingPath { text = try MappingText.contents(of: path) }
      let path = options.mappingPath ?? options.preset?.path ?? Self.storedMapping
      let read = try text.map { text throws(MappingError) in try Mapping(yaml: text, path: path) }
      if options.migration == nil, !isOnlyChecked, let block = read?.policies.first {
        throw MappingError(path: path, .init(.policyWithoutMigration, at: block.className.mark))
      }
      // Blocks for policies say nothing of what becomes of the migrated objects.
      mapping = read.flatMap { $0.hasOnlyPolicies ? nil : $0 }
      mappingText = text
    } catch {
      throw .mapping(error)
    }
    names = options.nameRules.completed(by: mapping)
    let named = mapping?.model.map { Self.path($0.value, besides: options.mappingPath ?? "") }
    modelPaths = options.modelPaths.isEmpty ? [named].compactMap(\.self) : options.modelPaths
    (modelVersions, templatePath) = (options.modelVersions, options.templatePath)
    layout = options.layout
    do throws(ModelError) {
      // Of a folder of versions, each store is read by its own: it says nothing of what to make.
      var found = options.model.map { ModelSource($0) }
      var undecided: ModelError?
      if found == nil, !options.modelPaths.isEmpty {
        found = try Self.model(at: options.modelPaths, options, &undecided)
      }
      isMappingsModel = found == nil && named != nil
      if found == nil, let named { found = try Self.model(at: [named], options, &undecided) }
      self.undecided = found == nil ? undecided : nil
      if let template = options.templatePath { try found?.adopt(template: template) }
      source = found
    } catch {
      throw .model(error)
    }
    guard !options.acceptsModelDrift else { return }
    try checkDigest()
  }

  var model: Model? { source?.model }

  /// The names of the classes of wrappers that the mapping names.
  var seeThrough: [String] { mapping?.seeThrough.map(\.value) ?? [] }

  /// The names that the mapping gives to positions in typedstreams.
  var positions: PositionRules {
    PositionRules(
      Dictionary(
        (mapping?.positions ?? []).map { named in
          (named.className.value, PositionRules.Class(fields: named.fields, lists: named.lists))
        }, uniquingKeysWith: { first, _ in first }))
  }

  /// The foreign keys and texts of databases that the mapping names.
  var columnHints: ColumnHints { mapping?.columnHints ?? ColumnHints() }

  /// The columns of databases that tell which of several is the newest.
  var newestBy: [TableColumn] { mapping?.newestBy ?? [] }

  /// The classes of Foundation's values that the mapping or a hook says something of: their objects
  /// are read as objects.
  ///
  /// A block that names no class is for that of the entity's name, with the prefix or without. One
  /// with `keepValues` is for the objects that are no values.
  var claimedClasses: Set<String> {
    var names = extensions.hooks.flatMap { $0.archivedClassNames }
    names += extensions.values.flatMap { $0.archivedClassNames }
    if let mapping {
      let blocks = mapping.entities + mapping.passes.flatMap(\.entities)
      let keepsValues = Set(blocks.filter(\.keepsValues).map(\.entity.value))
      names += mapping.classes.filter { entry in
        guard case .entity(let entity) = entry.kind else { return true }
        return !keepsValues.contains(entity.value)
      }.map(\.className.value)
      for block in blocks where !block.keepsValues {
        guard block.sources.isEmpty else {
          names += block.sources.map(\.value)
          continue
        }
        names += ["", self.names.stripPrefix ?? ""].map { $0 + block.entity.value }
      }
    }
    return Set(names.filter(KnownClass.isFoundationValue))
  }

  /// The rules for the dictionaries that may be records.
  ///
  /// If a mapping, a model or hooks say what becomes of objects, only the dictionaries that are
  /// asked for are records.
  func recordPolicy(_ options: ConversionOptions) -> RecordRules.Policy {
    let usesMapping = mapping != nil || source != nil || !extensions.isEmpty
    let others: RecordRules.Policy.Default =
      switch options.dictionaries {
      case .automatic: .automatic
      case .records: .records
      case .pairs: .pairs
      case nil: usesMapping ? .pairs : .automatic
      }
    return RecordRules.Policy(
      others, records: mapping?.records.map(\.value) ?? [],
      pairs: mapping?.pairs.map(\.value) ?? [])
  }

  /// The plan for what a profile found.
  func plan(_ profile: SchemaProfile, _ options: PlanCompiler.Options) throws(ConversionError)
    -> ImportPlan
  {
    let target = try target(for: profile)
    var options = options
    options.unarchivesTransformables = target.isOfInputs && layout == .relational
    do throws(MappingError) {
      if let preset, let block = mapping?.entities.first?.sources.first,
        mapping?.entities.flatMap(\.sources).contains(where: {
          profile.knownIndex(of: $0.value) != nil
        }) == false
      {
        throw MappingError(
          path: preset.path, MappingError.Problem(.unusedClass, name: block.value))
      }
      if layout == .coreData, let view = mapping?.views.first {
        throw MappingError(
          path: mappingPath ?? preset?.path ?? "",
          MappingError.Problem(
            .badView, at: view.name.mark, name: view.name.value,
            expected: "a store in Core Data's layout has none"))
      }
      var plan = try PlanCompiler.plan(
        profile: profile, model: target.given, mapping: mapping,
        mappingPath: mappingPath ?? preset?.path,
        extensions: extensions, options: options)
      plan.source = target.source
      return plan
    } catch {
      throw .mapping(error)
    }
  }

  /// The model that rows are made for, if it is known.
  private struct Target {
    /// The model that says all of them; nil if it follows from the inputs and the mapping.
    var given: Model?
    /// The model, with its hashes and its compiled form.
    var source: ModelSource?
    /// True if it is the model of the inputs, which are stores.
    var isOfInputs = false
  }

  /// The model that rows are made for.
  ///
  /// Inputs that are stores of one model keep theirs, unless another was given. A mapping, or
  /// archives in the stores' values, may change it, unless the mapping names the model itself, or
  /// the new store is one of Core Data, which has the same model.
  private func target(for profile: SchemaProfile) throws(ConversionError) -> Target {
    // Stores among the inputs are read by theirs.
    if let undecided, !profile.classes.contains(where: \.isEntity) { throw .model(undecided) }
    guard var declared = profile.declared.storeSource, try isOwn(declared) else {
      return Target(given: model?.withoutDraftedParts, source: source)
    }
    do throws(ModelError) {
      if let templatePath { try declared.adopt(template: templatePath) }
    } catch {
      throw .model(error)
    }
    // What archives in the values of stores hold has tables, too.
    let isExtended = profile.declared.source == nil
    let isChanged = mapping != nil || names.stripPrefix != nil || isExtended
    guard isChanged, !isMappingsModel, layout == .relational else {
      return Target(
        given: declared.model.withoutRules.withoutDraftedParts, source: declared, isOfInputs: true)
    }
    return Target(isOfInputs: true)
  }

  /// True if rows are made for the model of the inputs: no model was given, or their own, to read
  /// them by.
  private func isOwn(_ declared: ModelSource) throws(ConversionError) -> Bool {
    guard !modelPaths.isEmpty else { return source == nil }
    do throws(ModelError) {
      let hashes = declared.hashes()
      return try modelVersions.versions(at: modelPaths, limits).versions.contains {
        $0.source.hashes() == hashes
      }
    } catch {
      throw .model(error)
    }
  }

  /// The model at a path, or merged from those at several; nil for a folder of several, of which
  /// stores are read by their own.
  ///
  /// Of the versions of a model it is the current one, or that which the options mean. Archives are
  /// not read by a folder of several: `undecided` says why.
  private static func model(
    at paths: [String], _ options: ConversionOptions, _ undecided: inout ModelError?
  ) throws(ModelError) -> ModelSource? {
    let limits = options.limits
    do throws(ModelError) {
      let current = try ModelSource(contentsOf: paths, limits: limits)
      guard let digest = options.modelDigest, current.model.digest() != digest else {
        return current
      }
      let versions = try options.modelVersions.versions(at: paths, limits).versions
      return versions.first { $0.source.model.digest() == digest }?.source ?? current
    } catch {
      guard error.code == .unknownKind || error.code == .severalModels else { throw error }
      let versions: ModelVersions
      do throws(ModelError) {
        versions = try ModelVersions(contentsOf: paths, limits: limits)
      } catch let reason {
        // A folder in it that cannot be read is what is wrong.
        throw reason.code == .unreadable ? reason : error
      }
      guard versions.versions.count == 1 || paths.count > 1 else {
        undecided = error
        return nil
      }
      return try versions.meantVersion().source
    }
  }

  /// The names of the mapping that match nothing in the archives.
  ///
  /// Classes that the options name count, too.
  func unusedNames(
    _ profile: SchemaProfile, _ options: PlanCompiler.Options
  ) -> [ConversionReport.UnusedName] {
    let positions = (mapping?.positions ?? []).map { named in
      Marked(PositionRules.plainName(named.className.value), at: named.className.mark)
    }
    let tables =
      preset != nil
      ? []
      : (mapping?.foreignKeys ?? []).flatMap { [$0.table, $0.target] } + newestBy.map(\.table)
    let unused =
      profile.unusedOptions(seeThrough: seeThroughOption, stripPrefix: stripPrefixOption)
      + profile.unusedClasses(among: (mapping?.seeThrough ?? []) + positions + tables).map {
        ConversionReport.UnusedName($0, path: mappingPath)
      }
    // Without a target there is no plan, and the names are not asked for. A preset is for databases
    // of many versions.
    guard let mapping, preset == nil, let target = try? target(for: profile) else { return unused }
    return unused
      + PlanCompiler.unusedNames(
        profile: profile, model: target.given, mapping: mapping,
        extensions: extensions, options: options
      ).map { ConversionReport.UnusedName($0, path: mappingPath) }
  }

  /// Refuses a mapping that was made for another version of the model.
  private func checkDigest() throws(ConversionError) {
    guard let digest = mapping?.modelDigest, let model else { return }
    let own = model.digest()
    guard own != digest.value else { return }
    throw .mapping(
      MappingError(
        path: mappingPath ?? "",
        MappingError.Problem(
          .otherModel, at: digest.mark, name: own, expected: digest.value)))
  }

  /// A path that a file gives, relative to the file's folder.
  private static func path(_ path: String, besides file: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    let folder = parentFolder(of: file)
    return folder.isEmpty || folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}

extension Mapping {
  /// The foreign keys of databases that it names, and the columns that it says are of texts.
  var columnHints: ColumnHints {
    let targets = foreignKeys.map {
      (ColumnHints.Column(table: $0.table.value, name: $0.column.value), $0.target.value)
    }
    var texts: Set<ColumnHints.Column> = []
    for block in entities + passes.flatMap(\.entities) {
      let tables = block.sources.isEmpty ? [block.entity] : block.sources
      for attribute in block.attributes where attribute.conversions.isEmpty {
        guard attribute.type == .string || attribute.type == .attributedText,
          let path = attribute.source.value.keyPath, path.count == 1
        else { continue }
        texts.formUnion(tables.map { ColumnHints.Column(table: $0.value, name: path[0]) })
      }
    }
    return ColumnHints(
      targets: Dictionary(targets, uniquingKeysWith: { first, _ in first }), texts: texts)
  }
}
