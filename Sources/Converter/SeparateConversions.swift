import ArchiveReader
import Foundation
import Support

/// Converts each archive into a store of its own, in a folder.
///
/// Each is a conversion by itself: the store is there when it is whole, and its layout is that of
/// the one archive. What is inside of an archive stands in its store.
public struct SeparateConversions {
  private let inputs: [String]
  private let folder: String
  private var options: ConversionOptions
  /// The stores that are being built.
  public let unfinished = UnfinishedStores()
  /// The report of the work done so far, for all stores together.
  public private(set) var report: ConversionReport

  /// Prepares the conversions.
  ///
  /// - Parameters:
  ///   - inputs: Paths of archives and of directories with archives.
  ///   - folder: The folder of the stores, each of which is below it as its archive is below the
  ///     directory that was searched.
  ///   - options: The options for all archives. To resume is to leave out the archives whose stores
  ///     are there.
  public init(inputs: [String], folder: String, options: ConversionOptions) {
    self.inputs = inputs
    self.folder = folder
    self.options = options
    report = ConversionReport(storePath: folder, isDryRun: options.isDryRun)
  }

  /// The outcome of a conversion.
  private enum Outcome: Sendable {
    case done(ConversionReport)
    case noArchive
    case rejected(ConversionReport, error: String)
    case failed(ConversionError)
  }

  /// Runs the conversions; returns what was done.
  ///
  /// - Throws: `ConversionError` if a store cannot be written, an archive was rejected and the run
  ///   was to stop, or there is no archive. Stores that are complete by then stay.
  public mutating func run() throws(ConversionError) -> ConversionReport {
    let start = ContinuousClock.now
    defer { report.seconds = (ContinuousClock.now - start) / .seconds(1) }
    let configuration = try ImportConfiguration(options)
    options.prepareMigration(configuration)
    let finder = InputFinder(inputs, options.filter, options.sourceOpener, spill: options.spill)
    let policy = options.policy(for: finder)
    try report.note(finder, policy)
    let stores = stores(for: finder.inputs)
    try checkDestinations(stores, finder)
    let newFolders = Self.missingFolders(of: stores)
    defer { for folder in newFolders { FileSystem.remove(emptyFolder: folder) } }
    if !options.isDryRun { try removeLeftovers(stores) }
    let tasks = Array(zip(finder.inputs, stores))
    let meter = options.onProgress.map { ProgressMeter(finder.inputs.map(\.path), $0) }
    meter?.begin(.writing, finder.inputs.map(\.path))
    let fingerprint = configuration.fingerprint(options)
    let work = OrderedWork(tasks, jobs: options.jobs) { [options, unfinished] (input, store) in
      meter?.begin(input.path)
      defer { meter?.end(input.path) }
      var own = options
      if let meter {
        own.onProgress = { [verifies = options.verifies] in
          meter.reach($0.shareOfConversion(thatVerifies: verifies), of: input.path)
        }
      }
      return Self.convert(input, store, own, fingerprint, unfinished)
    }
    // What has been begun comes to its end: no file is left half done.
    defer { work.cancelAndWait() }
    for (input, store) in tasks {
      guard let outcome = work.next() else { break }
      switch outcome {
      case .done(let own): report.add(own, store: store)
      case .noArchive: try report.skip(input.path, policy)
      case .rejected(let own, let error):
        guard policy == .skip else { throw .allRejected([(input.path, error)]) }
        report.add(own, rejected: input.path, error: error)
      case .failed(let error): throw error
      }
    }
    if !report.archives.contains(where: { $0.outcome != .rejected }) {
      let rejected = report.archives.map { ($0.path, $0.error ?? "") }
      if rejected.isEmpty {
        throw .noArchive(FruitlessSearch(inputs, report, options.filter))
      }
      throw .allRejected(rejected)
    }
    report.identifyRejected()
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  /// The store of each file: below the folder as the file is below the directory that was searched.
  ///
  /// Where two would have the same, in whatever case, the second gets `_2`.
  private func stores(for inputs: [InputFinder.Input]) -> [String] {
    var taken: Set<String> = []
    return inputs.map { input in
      var name = input.name
      var number = 2
      while !taken.insert(name.lowercased()).inserted {
        name = "\(input.name)_\(number)"
        number += 1
      }
      return (folder as NSString).appendingPathComponent(name + ".sqlite")
    }
  }

  /// Refuses to begin where stores are that must not be touched.
  private func checkDestinations(
    _ stores: [String], _ finder: InputFinder
  ) throws(ConversionError) {
    var read = ReadFiles(finder.inputs, options)
    do throws(StoreError) {
      for path in options.furtherOutputs { try read.check(.file(path)) }
      for path in stores { try read.check(.store(path)) }
    } catch {
      throw .store(error)
    }
    lazy var places = Set(stores.map(Conversion.absolute))
    lazy var files = Set(stores.compactMap { FileIdentity(path: $0) })
    for output in options.furtherOutputs {
      guard !places.contains(Conversion.absolute(output)),
        FileIdentity(path: output).map({ files.contains($0) }) != true
      else { throw .store(StoreError(.isStore, path: output)) }
    }
    try options.checkFurtherOutputs()
    // The folder may still have to be made.
    let place = Self.existingPlace(for: "\(folder)/store")
    if !options.isDryRun, let reason = OutputFile.obstacle(to: place) {
      throw .unwritable(path: folder, reason: "the folder cannot be written to: \(reason)")
    }
    guard options.existingStore == .fail, !options.resumes, !options.isDryRun else { return }
    for store in stores where FileIdentity(path: store) != nil {
      throw .store(StoreError(.exists, path: store))
    }
  }

  private func removeLeftovers(_ stores: [String]) throws(ConversionError) {
    do throws(StoreError) {
      try UnfinishedFiles.remove(for: stores)
    } catch {
      throw .store(error)
    }
  }

  private static func convert(
    _ input: InputFinder.Input, _ store: String, _ options: ConversionOptions,
    _ fingerprint: String, _ unfinished: UnfinishedStores
  ) -> Outcome {
    var own = options
    own.jobs = 1
    own.resumes = false
    own.errorPolicy = .stop
    if options.resumes, let done = done(input, store, options, fingerprint) { return done }
    if let error = makeFolder(of: store, options) { return .failed(error) }
    let place = options.isDryRun ? Self.existingPlace(for: store) : store
    if place != store { own.existingStore = .replace }
    var conversion = Conversion(inputs: [input.path], destination: place, options: own)
    conversion.unfinished = unfinished
    conversion.isOneOfMany = true
    do throws(ConversionError) {
      return .done(try conversion.run())
    } catch {
      switch error {
      case .rejected(_, let reason) where reason.code == .notAnArchive && !input.isNamed:
        return .noArchive
      case .rejected(_, let reason): return .rejected(conversion.report, error: "\(reason)")
      case .unreadable(_, let reason):
        return .rejected(conversion.report, error: "cannot be read: \(reason)")
      case .invalid, .mapping, .hook:
        return .rejected(conversion.report, error: error.messages.first ?? "")
      case .allRejected(let errors):
        return .rejected(conversion.report, error: errors.first?.error ?? "")
      default: return .failed(error)
      }
    }
  }

  /// The outcome for an archive whose store is there already; nil if there is none.
  private static func done(
    _ input: InputFinder.Input, _ store: String, _ options: ConversionOptions,
    _ fingerprint: String
  ) -> Outcome? {
    guard FileIdentity(path: store) != nil else { return nil }
    do throws(ArchiveError) {
      let file = try ArchiveFile(path: input.path, options.sourceOpener)
      var report = ConversionReport(storePath: store, isDryRun: false)
      let entry = ConversionReport.Archive(
        path: input.path, sha256: file.sha256, outcome: .skipped)
      report.archives = [entry]
      do throws(StoreError) {
        guard
          try StoreContent.holds(
            file.sha256, fingerprint, isSearchable: options.isSearchable, at: store)
        else {
          return .failed(
            .changed(path: store, ["the archive \(input.path), the mapping or an option"]))
        }
        if let kept = try kept(in: store, of: entry) { report = kept }
        try report.noteStore()
      } catch {
        return .failed(.unreadable(path: store, reason: error.reason))
      }
      return .done(report)
    } catch {
      return nil
    }
  }

  /// The report that the store of an archive keeps, as one of a run that leaves the archive out.
  ///
  /// - Returns: Nil for a store of Core Data, which keeps none: there is nothing to say of its
  ///   content.
  private static func kept(
    in store: String, of entry: ConversionReport.Archive
  ) throws(StoreError) -> ConversionReport? {
    var report: ConversionReport
    do throws(StoreError) {
      report = try StoreReports(path: store).lastKept()
    } catch {
      guard error.code == .noReport else { throw error }
      return nil
    }
    report.storePath = store
    report.verification = nil
    for index in report.archives.indices where report.archives[index].outcome == .converted {
      report.archives[index].outcome = .skipped
      if report.archives[index].sha256 == entry.sha256 {
        report.archives[index].path = entry.path
      }
    }
    return report
  }

  /// The path of a store, or where its folder would have to be made, one in the nearest folder that
  /// is there.
  private static func existingPlace(for store: String) -> String {
    var folder = parentFolder(of: store)
    while !folder.isEmpty, folder != "/", FileIdentity(path: folder) == nil {
      folder = parentFolder(of: folder)
    }
    let name = fileName(of: store)
    return folder.isEmpty ? name : "\(folder)/\(name)"
  }

  /// The folders that have to be made for stores, the inner ones first.
  private static func missingFolders(of stores: [String]) -> [String] {
    var found: Set<String> = []
    for store in stores {
      var place = parentFolder(of: store)
      while !place.isEmpty, FileIdentity(path: place) == nil, found.insert(place).inserted {
        place = parentFolder(of: place)
      }
    }
    return found.sorted { $0.utf8.count > $1.utf8.count }
  }

  private static func makeFolder(
    of store: String, _ options: ConversionOptions
  ) -> ConversionError? {
    guard !options.isDryRun else { return nil }
    let folder = parentFolder(of: store)
    do throws(SystemError) {
      try FileSystem.makeFolders(folder)
      return nil
    } catch {
      return .unwritable(path: folder, reason: "the folder cannot be created: \(error.words)")
    }
  }
}

extension ConversionProgress {
  /// The share of a conversion that is done, about: each step takes as long as another.
  fileprivate func shareOfConversion(thatVerifies verifies: Bool) -> Double {
    let share = byteCount > 0 ? Double(bytes) / Double(byteCount) : 0
    let stepsBefore: Double =
      switch phase {
      case .reading, .identifying: 0
      case .writing: 1
      case .finishing, .verifying: 2
      case .copying, .checking: 3
      }
    return min(1, (stepsBefore + share) / (verifies ? 3 : 2))
  }
}
