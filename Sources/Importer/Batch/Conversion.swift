import ArchiveReader
import Foundation

/// Converts archives into one store.
///
/// Archives are read twice: the first time to take the census that the tables are laid out by and
/// to find those that are damaged, the second time to write their rows.
public struct Conversion {
  private let inputs: [String]
  private let destination: String
  private let options: ConversionOptions
  /// What has been done so far.
  public private(set) var report: ConversionReport
  private var opaqueClasses: Set<String> = []
  /// Archives that stay open between the readings, as long as they take little memory.
  private var openFiles: [String: ArchiveFile] = [:]
  private var openBytes = 0

  private static let mostOpenBytes = 64 << 20

  /// Prepares a conversion.
  ///
  /// - Parameters:
  ///   - inputs: Paths of archives and of directories with archives.
  ///   - destination: The path of the store.
  ///   - options: How they are converted.
  public init(inputs: [String], destination: String, options: ConversionOptions) {
    self.inputs = inputs
    self.destination = destination
    self.options = options
    report = ConversionReport(storePath: destination, isDryRun: options.isDryRun)
  }

  /// Where the store is built: a file beside the destination, of no use to anyone else.
  public var temporaryPath: String { StoreFile.temporaryPath(for: destination) }

  /// Runs the conversion; returns what was done.
  ///
  /// - Throws: `ConversionError`. Then there is no new store, and what was at the destination is
  ///   untouched. `report` tells what was found up to then.
  public mutating func run() throws(ConversionError) -> ConversionReport {
    let start = ContinuousClock.now
    var finder = InputFinder()
    for input in inputs { finder.add(input) }
    try checkDestination(finder)
    let guide = try ImportGuide(options)
    let policy = options.errorPolicy ?? (finder.hasDirectory ? .skip : .stop)
    for (path, reason) in finder.unreadable {
      guard policy == .skip else { throw .unreadable(path: path, reason: reason) }
      report.archives.append(
        .init(path: path, outcome: .rejected, error: "cannot be read: \(reason)"))
    }

    report.skippedFiles = finder.skippedFiles
    var rejected: Set<String> = []
    while true {
      let inputs = finder.inputs.filter { !rejected.contains($0.path) }
      let (accepted, census) = try takeCensus(of: inputs, policy)
      guard !accepted.isEmpty else {
        let rejected = report.archives.filter { $0.outcome == .rejected }
        if rejected.isEmpty { throw .noArchive }
        throw .allRejected(rejected.map { ($0.path, $0.error ?? "") })
      }
      let plan = try guide.plan(
        census, PlanOptions(
          stripPrefix: options.stripPrefix, opaqueClasses: opaqueClasses, limits: options.limits,
          recordsProvenance: options.recordsProvenance))
      let unsound = report.archives
      let findings = try write(accepted, plan, census)
      report.add(findings)
      guard findings.errorCount > 0 else {
        report.add(census, plan: plan)
        break
      }
      // Archives that break the model's rules are left out whole, and the others converted anew.
      let failed = findings.failedArchives.subtracting(rejected)
      guard policy == .skip, !failed.isEmpty, findings.errors.allSatisfy({ $0.archive != nil })
      else {
        throw .invalid(findings.errors, count: findings.errorCount, keptPasses: [])
      }
      rejected.formUnion(failed)
      report.archives = unsound
      for path in failed.sorted() {
        let own = findings.errors.filter { $0.archive == path }
        report.archives.append(
          .init(
            path: path, outcome: .rejected,
            error: own.first.map { "\($0)" + (own.count > 1 ? " (and more)" : "") }))
      }
    }
    report.sortArchives(by: finder.inputs.map(\.path))
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  private func checkDestination(_ finder: InputFinder) throws(ConversionError) {
    let inputs = Set(finder.inputs.compactMap { FileIdentity(path: $0.path) })
    let store = FileIdentity(path: destination)
    for output in options.furtherOutputs {
      let identity = FileIdentity(path: output)
      let isStore = Self.absolute(output) == Self.absolute(destination)
      guard !isStore, identity == nil || identity != store else {
        throw .store(StoreError(.isStore, path: output))
      }
      if let identity, inputs.contains(identity) {
        throw .store(StoreError(.isInput, path: output))
      }
    }
    guard let store else { return }
    guard store.isRegularFile else {
      throw .store(StoreError(.file, path: destination, reason: "it is not a regular file"))
    }
    guard !inputs.contains(store) else { throw .store(StoreError(.isInput, path: destination)) }
    guard options.existingStore == .replace || options.isDryRun else {
      throw .store(StoreError(.exists, path: destination))
    }
  }

  private static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  // MARK: First reading

  /// Takes the census of all archives; returns those that are sound.
  private mutating func takeCensus(
    of inputs: [InputFinder.Input], _ policy: ConversionOptions.ErrorPolicy
  ) throws(ConversionError) -> ([InputFinder.Input], Census) {
    let (archives, skippedFiles) = (report.archives, report.skippedFiles)
    while true {
      report.archives = archives
      report.skippedFiles = skippedFiles
      var census = Census()
      var accepted: [InputFinder.Input] = []
      for input in inputs {
        do throws(ArchiveError) {
          let file = try open(input.path)
          let own = try CensusTaker.take(
            of: file.archive, opaqueClasses: opaqueClasses, limits: options.limits)
          census.merge(own)
          accepted.append(input)
        } catch {
          if error.code == .notAnArchive, !input.isNamed {
            report.skippedFiles += 1
            continue
          }
          guard policy == .skip else { throw .rejected(path: input.path, error) }
          report.archives.append(
            .init(path: input.path, outcome: .rejected, error: "\(error)"))
        }
      }
      guard !census.misfits.subtracting(opaqueClasses).isEmpty else { return (accepted, census) }
      // Some objects of a known class hold something else than a value of the class. All of its
      // objects become rows then, so that nothing of them is lost.
      opaqueClasses.formUnion(census.misfits)
    }
  }

  private mutating func open(_ path: String) throws(ArchiveError) -> ArchiveFile {
    if let file = openFiles[path] { return file }
    let file = try ArchiveFile(path: path, limits: options.limits)
    if openBytes + file.residentBytes <= Self.mostOpenBytes {
      openFiles[path] = file
      openBytes += file.residentBytes
    }
    return file
  }

  // MARK: Second reading

  /// Builds the store; publishes it unless something is wrong.
  private mutating func write(
    _ inputs: [InputFinder.Input], _ plan: ImportPlan, _ census: Census
  ) throws(ConversionError) -> ImportFindings {
    do {
      return try build(inputs, plan, census)
    } catch let error as StoreError {
      // The store is built under another name, which is no concern of the user.
      throw .store(StoreError(error.code, path: destination, reason: error.reason))
    } catch let error as ConversionError {
      throw error
    } catch let error as ImportError {
      throw .hook("\(error)", pass: nil)
    } catch {
      throw .hook("\(type(of: error))", pass: nil)
    }
  }

  private mutating func build(
    _ inputs: [InputFinder.Input], _ plan: ImportPlan, _ census: Census
  ) throws -> ImportFindings {
    let file = try StoreFile(destination: destination)
    let store = try StoreWriter(
      path: file.path, layout: plan.layout, withProvenance: options.recordsProvenance)
    try store.insertClasses(
      census.classes.map { found in
        (found.name, found.hierarchy, plan.entityName(ofClass: found.name))
      })
    var run = ImportRun(plan, store)
    if let onProgress = options.onPolicyProgress { run.onProgress(onProgress) }
    for pass in plan.passes.indices {
      run.begin(pass: pass)
      for (number, input) in inputs.enumerated() {
        try importArchive(input.path, Int64(number + 1), pass, of: plan, store, &run)
      }
      try run.endPass()
    }
    try run.finish()
    let findings = run.context.report
    guard findings.errorCount == 0 else { return findings }
    if plan.validates { try report.count(store, plan) }
    try store.finish()
    guard !options.isDryRun else { return findings }
    try file.publish(replacing: options.existingStore == .replace)
    report.noteStore()
    return findings
  }

  private mutating func importArchive(
    _ path: String, _ id: Int64, _ pass: Int, of plan: ImportPlan, _ store: StoreWriter,
    _ run: inout ImportRun
  ) throws {
    do {
      let file = try open(path)
      if pass == plan.passes.count - 1 { openFiles[path] = nil }
      if pass == 0 { try store.insert(file.archive, path: file.path, sha256: file.sha256, id: id) }
      let counts = try run.importArchive(file.archive, id: id, path: path)
      report.add(
        counts, of: pass == 0 ? file.archive : nil, path: file.path, sha256: file.sha256)
    } catch let error as ArchiveError {
      // The archive was sound a moment ago.
      throw ConversionError.rejected(path: path, error)
    }
  }
}
