import ArchiveReader
import CoreDataStores
import Foundation
import Importer
import Stores
import Support

/// The steps of a run that is divided among machines: a profile of each shard, a plan made of all
/// profiles, a store of each shard, and one store made of these.
///
/// The store is that of a run on one machine.
public enum ShardedRun {
  /// Takes the profile of a shard.
  ///
  /// - Parameters:
  ///   - shard: The shard.
  ///   - inputs: The paths of its files; those that are no archives are passed over.
  ///   - options: What is asked for; a plan remembers it.
  ///   - plan: The path of a plan that found the shard's profile to be stale; nil for the first.
  ///   - output: The path of the file.
  /// - Throws: `ConversionError`.
  public static func profile(
    _ shard: Shard, of inputs: [String], _ options: ConversionOptions, by plan: String?,
    to output: String
  ) throws(ConversionError) {
    do {
      let part = try plan.map { try ShardPart(shard, planAt: $0) } ?? ShardPart(shard)
      var options = part.plan.map { $0.request.options(options, time: nil) } ?? options
      options.existingStore = options.existingStore == .replace ? .replace : .fail
      options.errorPolicy = .skip
      var conversion = Conversion(inputs: inputs, destination: output, options: options)
      conversion.shard = part
      let (profile, digests) = try conversion.takeShardProfile()
      try ShardFile.write(to: output, replacing: options.existingStore == .replace) {
        try $0.add(profile, digests)
      }
    } catch let error as ConversionError {
      throw error
    } catch {
      throw .unwritable(path: output, reason: "\(error)")
    }
  }

  /// Puts the profiles of files into one: in whatever order, and of none as well.
  public static func merge(
    _ paths: [String], to output: String, replacing: Bool
  ) throws(ConversionError) {
    try ShardFile.write(to: output, replacing: replacing) { file in
      for path in paths { try file.add(profilesOf: path) }
    }
  }

  /// The outcome of planning.
  public struct PlanningResult: Sendable, Codable {
    /// The shards whose profiles are to be taken again by this plan, and planned with: the rules
    /// that their archives were read by, or the copies among them, are others.
    public var stale: [Int]
    /// The digest of the plan.
    public var sha256: String
    /// The columns with values of several types, by table.
    public var mixed: [String: [String]]

    /// The result as JSON in one line.
    public var text: String {
      get throws { try JSONDocument.line(of: self) }
    }
  }

  /// Makes the plan of all shards.
  ///
  /// - Parameters:
  ///   - path: The path of the file with the profiles of all.
  ///   - output: The path of the plan.
  ///   - replacing: True if it may take the place of a file.
  ///   - time: The time that archives are said to be converted at.
  /// - Returns: The digest of the plan, and the shards to profile again.
  /// - Throws: `ConversionError`, also if what was asked for joins rows of several archives.
  public static func plan(
    _ path: String, to output: String, replacing: Bool, time: Date
  ) throws(ConversionError) -> PlanningResult {
    var result = PlanningResult(stale: [], sha256: "", mixed: [:])
    try ShardFile.write(to: output, replacing: replacing) { file in
      let profiles = try ShardFile(reading: path).profiles()
      guard let first = profiles.first else {
        throw ConversionError.unreadable(path: path, reason: "it has no profiles")
      }
      for (index, profile) in profiles.enumerated() {
        guard profile.request == first.request, profile.shard.count == first.shard.count else {
          throw ConversionError.unreadable(
            path: path,
            reason: "the profiles of shards \(first.shard.number) and "
              + "\(profile.shard.number) are of different runs")
        }
        guard profile.shard.number == index + 1 else {
          throw ConversionError.unreadable(
            path: path, reason: "it has no profile of shard \(index + 1)")
        }
      }
      guard profiles.count == first.shard.count else {
        throw ConversionError.unreadable(
          path: path, reason: "it has no profile of shard \(profiles.count + 1)")
      }
      var (positions, profile) = (PositionEvidence(), SchemaProfile())
      for part in profiles {
        positions.merge(part.positions)
        profile.merge(part.profile)
      }
      try file.findCopies(in: path)
      var options = first.request.options(ConversionOptions(), time: nil)
      let configuration = try ImportConfiguration(options)
      options.decide(configuration, positions, profile.records)
      let request = ShardRequest(configuration, options)
      let stale = try profiles.filter { part in
        let copies = try file.copies(inShard: part.shard.number)
        return part.basis != request.basis(without: copies)
      }.map(\.shard.number)
      let conversion = Conversion(inputs: [], destination: output, options: options)
      let layout = try conversion.plan(for: profile, configuration).layout
      for table in layout.allTables(after: []) {
        let mixed = table.columns.filter { $0.type == .any }.map(\.name)
        if !mixed.isEmpty { result.mixed[table.name] = mixed }
      }
      let plan = ShardPlan(
        request: request, count: profiles.count, stale: stale, profile: profile,
        time: Int64(time.timeIntervalSince1970))
      result.stale = stale
      result.sha256 = try file.add(plan, profiles.map(\.inputs))
    }
    return result
  }
}

/// The part that a shard has in a run.
struct ShardPart {
  var shard: Shard
  /// The plan; nil as long as there is none.
  var plan: ShardPlan?
  var planText = ""
  var planSHA256 = ""
  /// The digest of its files, as they were when the plan was made.
  var inputs = ""
  /// The paths of archives in shards before, by the digests of their bytes.
  var copies: [String: String] = [:]

  init(_ shard: Shard) { self.shard = shard }

  /// Reads the part of a shard in a plan.
  init(_ shard: Shard, planAt path: String) throws {
    self.shard = shard
    let file = try ShardFile(reading: path)
    let found = try file.plan()
    guard found.plan.count == shard.count else {
      throw ConversionError.unreadable(
        path: path, reason: "it is a plan of \(found.plan.count) shards, not of \(shard.count)")
    }
    (plan, planText, planSHA256) = (found.plan, found.text, found.sha256)
    inputs = try file.inputs(ofShard: shard.number)
    copies = try file.copies(inShard: shard.number)
  }
}

extension ShardRequest {
  init(_ configuration: ImportConfiguration, _ options: ConversionOptions) {
    self.init(
      options: configuration.recordText(options, passes: nil, nil),
      mapping: configuration.mappingText, modelDigest: configuration.model?.digest())
  }

  /// The digest of what the profile of a shard depends on.
  func basis(without copies: [String: String]) -> String {
    MessageDigest.sha256(ofTexts: [options, mapping ?? ""] + copies.keys.sorted())
  }
}

extension ConversionOptions {
  /// Decides which dictionaries are records, and which positions in typedstreams are lists.
  fileprivate mutating func decide(
    _ configuration: ImportConfiguration, _ positions: PositionEvidence, _ records: RecordEvidence
  ) {
    if !positions.isEmpty {
      self.positions = positions.rules(configuration.positions, earlier: PositionRules())
    }
    let policy = configuration.recordPolicy(self)
    if policy.allowsRecords { recordRules = RecordRules(records, policy) }
  }
}

extension Conversion {
  /// Takes the profile of a shard, with the paths and digests of its archives.
  mutating func takeShardProfile() throws(ConversionError) -> (
    ShardProfile, [(path: String, sha256: String)]
  ) {
    let given = try ImportConfiguration(options)
    let plan = shard?.plan
    // The rules that all archives lead to are no part of what was asked for.
    var asked = options
    (asked.positions, asked.recordRules) = (given.positions, nil)
    let request = ShardRequest(given, asked)
    let rules = plan.map { $0.request.options(options, time: nil) }
    options.decidesRecords = true
    options.prepareMigration(given)
    classesReadAsObjects = given.claimedClasses
    // A mapping says so before anything is read.
    try checkShards(self.plan(for: SchemaProfile(), given), given)
    let finder = InputFinder(found: inputs, options.sourceOpener)
    let policy = try noteUnreadable(finder)
    errorPolicy = policy
    let positions = positionEvidence(in: finder.inputs)
    let (archives, profile): ([ArchiveSurveyor.SurveyedArchive], SchemaProfile)
    beginRecords(given)
    if let rules {
      (options.positions, options.recordRules) = (rules.positions, rules.recordRules)
      let found = try survey(finder.inputs, policy, leavingOut: [])
      (archives, profile) = (found.archives, found.profile)
    } else {
      if !positions.isEmpty {
        options.positions = positions.rules(given.positions, earlier: PositionRules())
      }
      (archives, profile) = try takeProfile(of: finder.inputs, policy)
    }
    let copies = shard?.copies ?? [:]
    let taken = ShardRequest(given, options)
    let sound = Set(archives.lazy.filter { $0.input.nesting == nil }.map(\.input.path))
    let digests = zip(candidates, inputStates).filter { path, _ in
      sound.contains(path) || duplicates[path] != nil
    }
    guard let shard = shard?.shard else {
      throw .noArchive(FruitlessSearch(inputs, report, options.filter))
    }
    guard storeMetadata.isEmpty else {
      throw .unwritable(
        path: destination,
        reason: "the run cannot be divided: there are Core Data stores, which have models")
    }
    return (
      ShardProfile(
        shard: shard, request: request, basis: taken.basis(without: copies),
        inputs: inputsDigest, positions: positions, profile: profile),
      digests.map { (path: $0, sha256: $1) }
    )
  }

  /// The digest of the files that were read: their paths, and their content unless they are rejected.
  private var inputsDigest: String {
    MessageDigest.sha256(
      ofTexts: zip(candidates, inputStates).flatMap { path, state in
        [path, state.count == 64 && state.allSatisfy(\.isHexDigit) ? state : ""]
      })
  }

  /// Takes over what a plan says of a shard.
  mutating func take(_ part: ConversionOptions.Part) throws(ConversionError) {
    do {
      let own = try ShardPart(part.shard, planAt: part.planPath)
      if let plan = own.plan {
        guard plan.stale.isEmpty else {
          throw ConversionError.unreadable(
            path: part.planPath, reason: "it asks for further profiles: see profile --plan")
        }
        options = plan.request.options(options, time: plan.time)
      }
      shard = own
    } catch let error as ConversionError {
      throw error
    } catch {
      throw .unreadable(path: part.planPath, reason: "\(error)")
    }
  }

  /// Refuses a plan that joins rows of several archives, which shards cannot.
  func checkShards(
    _ plan: ImportPlan, _ configuration: ImportConfiguration
  ) throws(ConversionError) {
    let reasons: [(Bool, String)] = [
      (
        plan.findsRows,
        "its mapping has identities or splits values: rows of several archives are one"
      ),
      (plan.passes.count > 1, "its mapping has passes"),
      (plan.asksForTime(identifying: false), "its mapping asks for the time"),
      (plan.reasonToRepeat != nil, plan.reasonToRepeat ?? ""),
      (
        plan.model.entities.contains { !$0.uniquenessConstraints.isEmpty },
        "its model has uniqueness constraints"
      ),
      (!configuration.newestBy.isEmpty, "its mapping orders databases by date"),
    ]
    if let reason = reasons.first(where: \.0)?.1 {
      throw .unwritable(path: destination, reason: "the run cannot be divided: \(reason)")
    }
  }

  /// Refuses files that are not those of the profile.
  func checkShardInputs() throws(ConversionError) {
    guard let shard, shard.plan != nil, shard.inputs != inputsDigest else { return }
    throw .unwritable(
      path: destination,
      reason: "the files of shard \(shard.shard.number) have changed since its profile was taken")
  }
}
