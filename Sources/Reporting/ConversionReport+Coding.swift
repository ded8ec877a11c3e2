import Foundation

/// The report in JSON: its fields are those of Documentation/report.md.
extension ConversionReport {
  private enum CodingKeys: String, CodingKey {
    case converter, startedAt, seconds, dryRun, isVerification, store, verdict, archives,
      archivedObjects, entities
    case skippedFiles, skippedKinds, skippedFilesLeftOut, excludedFiles
    case collections, collectionValues, collectionLinks, topLevelValues, sharedCollections
    case unreachableObjects, classesKeptAsObjects
    case unreadKeys, ignoredKeys, derivedKeys, unusedNames
    case migrations
    case unmappedClasses, unvisitedObjects, filteredObjects, notKept, modelNotes, storeNotes, views
    case leavesPartsOfStores, metadataValues
    case relationshipsSetFromBothSides, conflicts, conflictsLeftOut
    case validationErrors, validationErrorsLeftOut, failedPass
    case lossyConversions, lossyConversionsLeftOut, lossyConversionKinds, verification
  }

  private struct Converter: Codable {
    var version: String
  }

  private struct Store: Codable {
    var path: String?
    var layout: String
    var bytes: Int?
    var sha256: String?
  }

  private struct Verdict: Encodable {
    var kind: String
    var sentence: String

    init(_ verdict: ReportVerdict) {
      (kind, sentence) = (verdict.kind.rawValue, verdict.sentence)
    }
  }

  private struct SkippedKind: Codable {
    var kind: SkippedFile.Kind
    var count: Int
  }

  /// The archives as the coded form lists them: with the files that are none after them.
  var codedArchives: [Archive] { archives + skipped.listed.map(Archive.init) }

  /// Reads a report from its coded form.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError` if it is no report, or one with fields that this version does not
  ///   know the values of.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    func list<T: Decodable>(_ key: CodingKeys) throws -> [T] {
      try fields.decodeIfPresent([T].self, forKey: key) ?? []
    }
    func number(_ key: CodingKeys) throws -> Int {
      try fields.decodeIfPresent(Int.self, forKey: key) ?? 0
    }
    let store = try fields.decode(Store.self, forKey: .store)
    self.init(
      storePath: store.path ?? "",
      isDryRun: try fields.decodeIfPresent(Bool.self, forKey: .dryRun) ?? false)
    isVerification = try fields.decodeIfPresent(Bool.self, forKey: .isVerification) ?? false
    (storeLayout, storeBytes, storeSHA256) = (store.layout, store.bytes, store.sha256)
    converterVersion = try fields.decode(Converter.self, forKey: .converter).version
    startedAt = try fields.decodeIfPresent(String.self, forKey: .startedAt).map { text in
      guard let date = try? Date(text, strategy: .iso8601) else {
        throw DecodingError.dataCorruptedError(
          forKey: .startedAt, in: fields, debugDescription: "not a date")
      }
      return date
    }
    seconds = try fields.decodeIfPresent(Double.self, forKey: .seconds)
    let files: [Archive] = try list(.archives)
    archives = files.filter { $0.skipped == nil }
    archivedObjects = try fields.decodeIfPresent(Int.self, forKey: .archivedObjects)
    entities = try list(.entities)
    // Earlier versions recorded only how many there were.
    let kinds: [SkippedKind] =
      try fields.decodeIfPresent([SkippedKind].self, forKey: .skippedKinds)
      ?? [SkippedKind(kind: .other, count: try number(.skippedFiles))]
    skipped = SkippedFiles(
      listed: files.compactMap(\.skipped),
      counts: Dictionary(
        kinds.map { ($0.kind, max(0, $0.count)) }, uniquingKeysWith: { [$0, $1].boundedSum }))
    excludedFiles = try number(.excludedFiles)
    collections = try number(.collections)
    collectionValues = try number(.collectionValues)
    collectionLinks = try number(.collectionLinks)
    topLevelValues = try number(.topLevelValues)
    metadataValues = try number(.metadataValues)
    sharedCollections = try number(.sharedCollections)
    unreachableObjects = try number(.unreachableObjects)
    classesKeptAsObjects = try list(.classesKeptAsObjects)
    unreadKeys = try list(.unreadKeys)
    ignoredKeys = try list(.ignoredKeys)
    derivedKeys = try list(.derivedKeys)
    unusedNames = try list(.unusedNames)
    unmappedClasses = try list(.unmappedClasses)
    unvisitedObjects = try list(.unvisitedObjects)
    filteredObjects = try list(.filteredObjects)
    omissions = try list(.notKept)
    modelNotes = try list(.modelNotes)
    storeNotes = try list(.storeNotes)
    views = try list(.views)
    leavesPartsOfStores =
      try fields.decodeIfPresent(Bool.self, forKey: .leavesPartsOfStores) ?? false
    migrations = try list(.migrations)
    relationshipsSetFromBothSides = try list(.relationshipsSetFromBothSides)
    conflicts = try list(.conflicts)
    conflictCount = [conflicts.count, try number(.conflictsLeftOut)].boundedSum
    validationErrors = try list(.validationErrors)
    validationErrorCount =
      [validationErrors.count, try number(.validationErrorsLeftOut)].boundedSum
    failedPass = try fields.decodeIfPresent(FailedPass.self, forKey: .failedPass)
    losses = try list(.lossyConversions)
    lossCount = [losses.count, try number(.lossyConversionsLeftOut)].boundedSum
    // Earlier versions recorded only those that are listed.
    lossKinds =
      try fields.decodeIfPresent([LossKind].self, forKey: .lossyConversionKinds)
      ?? losses.reduce(into: LossKinds()) { $0.add($1) }.list
    verification =
      try fields.decodeIfPresent(CodedVerification.self, forKey: .verification)?.result
  }

  /// Writes the coded form.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: The error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(Converter(version: converterVersion), forKey: .converter)
    try fields.encodeIfPresent(startedAt?.formatted(.iso8601), forKey: .startedAt)
    try fields.encodeIfPresent(seconds, forKey: .seconds)
    try fields.encode(isDryRun, forKey: .dryRun)
    if isVerification { try fields.encode(isVerification, forKey: .isVerification) }
    try fields.encode(
      Store(
        path: storePath.isEmpty ? nil : storePath, layout: storeLayout, bytes: storeBytes,
        sha256: storeSHA256),
      forKey: .store)
    // The report that a store keeps does not say what became of the store.
    if !storePath.isEmpty {
      try fields.encode(Verdict(knownVerdict ?? ReportVerdict(self)), forKey: .verdict)
    }
    try fields.encode(codedArchives, forKey: .archives)
    try fields.encodeIfPresent(archivedObjects, forKey: .archivedObjects)
    try fields.encode(entities, forKey: .entities)
    try fields.encode(skippedFiles, forKey: .skippedFiles)
    try fields.encode(
      skipped.kinds.map { SkippedKind(kind: $0.kind, count: $0.count) }, forKey: .skippedKinds)
    try fields.encode(skipped.leftOut, forKey: .skippedFilesLeftOut)
    try fields.encode(excludedFiles, forKey: .excludedFiles)
    try fields.encode(collections, forKey: .collections)
    try fields.encode(collectionValues, forKey: .collectionValues)
    try fields.encode(collectionLinks, forKey: .collectionLinks)
    try fields.encode(topLevelValues, forKey: .topLevelValues)
    if metadataValues > 0 { try fields.encode(metadataValues, forKey: .metadataValues) }
    try fields.encode(sharedCollections, forKey: .sharedCollections)
    try fields.encode(unreachableObjects, forKey: .unreachableObjects)
    try fields.encode(classesKeptAsObjects, forKey: .classesKeptAsObjects)
    try fields.encode(unreadKeys, forKey: .unreadKeys)
    try fields.encode(ignoredKeys, forKey: .ignoredKeys)
    if !derivedKeys.isEmpty { try fields.encode(derivedKeys, forKey: .derivedKeys) }
    if let unusedNames, !unusedNames.isEmpty {
      try fields.encode(unusedNames, forKey: .unusedNames)
    }
    try fields.encode(unmappedClasses, forKey: .unmappedClasses)
    try fields.encode(unvisitedObjects, forKey: .unvisitedObjects)
    try fields.encode(filteredObjects, forKey: .filteredObjects)
    if !modelNotes.isEmpty { try fields.encode(modelNotes, forKey: .modelNotes) }
    if !storeNotes.isEmpty { try fields.encode(storeNotes, forKey: .storeNotes) }
    if !views.isEmpty { try fields.encode(views, forKey: .views) }
    if leavesPartsOfStores {
      try fields.encode(leavesPartsOfStores, forKey: .leavesPartsOfStores)
    }
    if !migrations.isEmpty { try fields.encode(migrations, forKey: .migrations) }
    if !omissions.isEmpty { try fields.encode(omissions, forKey: .notKept) }
    try fields.encode(relationshipsSetFromBothSides, forKey: .relationshipsSetFromBothSides)
    try fields.encode(conflicts, forKey: .conflicts)
    try fields.encode(max(0, conflictCount - conflicts.count), forKey: .conflictsLeftOut)
    try fields.encode(validationErrors, forKey: .validationErrors)
    try fields.encode(
      max(0, validationErrorCount - validationErrors.count), forKey: .validationErrorsLeftOut)
    try fields.encodeIfPresent(failedPass, forKey: .failedPass)
    try fields.encode(losses, forKey: .lossyConversions)
    try fields.encode(max(0, lossCount - losses.count), forKey: .lossyConversionsLeftOut)
    if !lossKinds.isEmpty { try fields.encode(lossKinds, forKey: .lossyConversionKinds) }
    try fields.encode(CodedVerification(verification), forKey: .verification)
  }
}

extension ConversionReport {
  /// The result of a verification, or that there was none, as the report in JSON has it.
  struct CodedVerification: Codable {
    private enum Status: String, Codable {
      case passed
      /// Nothing differs, but not everything was compared.
      case incomplete
      case failed
      case notRun = "not run"
    }

    private var status: Status
    private var valuesCompared: Int?
    private var linksCompared: Int?
    private var entriesCompared: Int?
    private var differences: [VerificationResult.Difference]?
    private var differencesLeftOut: Int?
    private var notCompared: [VerificationResult.Omission]?

    init(_ result: VerificationResult?) {
      guard let result else {
        status = .notRun
        return
      }
      status = result.isComplete ? .passed : result.isPassed ? .incomplete : .failed
      (valuesCompared, linksCompared) = (result.valuesCompared, result.linksCompared)
      entriesCompared = result.entriesCompared
      differences = result.differences
      differencesLeftOut = max(0, result.differenceCount - result.differences.count)
      notCompared = result.notCompared.isEmpty ? nil : result.notCompared
    }

    var result: VerificationResult? {
      guard status != .notRun else { return nil }
      var result = VerificationResult()
      result.valuesCompared = valuesCompared ?? 0
      result.linksCompared = linksCompared ?? 0
      result.entriesCompared = entriesCompared ?? 0
      result.differences = differences ?? []
      result.notCompared = notCompared ?? []
      result.differenceCount = [result.differences.count, differencesLeftOut ?? 0].boundedSum
      // A report that calls itself failed is not to be read as one that passed.
      if status == .failed { result.differenceCount = max(1, result.differenceCount) }
      return result
    }
  }
}
