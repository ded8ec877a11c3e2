import ArchiveReader

/// Lets the rows of a large archive be written before its census is complete.
///
/// A sample of its objects foretells the census, and so the plan. Where all rows are plain ones, the
/// census is taken of what is written, so that each object is read once; else another thread takes
/// it meanwhile. If it has the outline that was foretold, the plan is the one that it leads to, and
/// the rows are what they would have been. If not, nothing that was written counts.
///
/// In the same way a store is compared while the census of its archive is being taken.
package final class EarlyStart {
  /// When rows are written before the census is complete.
  package struct Conditions: Sendable {
    /// How large the archive is at least, in bytes: a small one is read in no time.
    package var bytes = 16 << 20
    package var sample = CensusSample.Size()
    /// How many files there are at least, if they are small.
    package var files = 256
    /// How many of the first files foretell the census; as many others do, here and there.
    package var sampledFiles = 32
  }

  /// What the import goes by: the census is that of the sample, and no digest is known yet.
  let basis: ImportBasis
  let file: ArchiveFile
  private let outline: CensusOutline
  private let surveyor: ArchiveSurveyor
  /// The census that another thread takes; nil where it goes along with the import.
  private let work: OrderedWork<InputFinder.Input, Result<FileSurvey, ArchiveError>>?
  private var found: Result<FileSurvey, ArchiveError>?
  /// Whether the census is what was foretold, as far as is known.
  private(set) var isConfirmed = false

  /// Begins.
  ///
  /// - Parameters:
  ///   - basis: What the import goes by.
  ///   - file: The archive, open.
  ///   - surveyor: Takes the census.
  ///   - goesAlong: Whether it is taken of what is written, rather than beside.
  init(
    _ basis: ImportBasis, _ file: ArchiveFile, _ surveyor: ArchiveSurveyor, goesAlong: Bool
  ) {
    self.basis = basis
    self.file = file
    self.surveyor = surveyor
    outline = CensusOutline(basis.census)
    work =
      goesAlong
      ? nil
      : OrderedWork([basis.archives[0].input], jobs: 1, isBeside: true) {
        var kept = ArchiveSurveyor.Kept()
        return { input in surveyor.survey(input, in: file, &kept) }
      }
  }

  /// Whether the census is taken of what is written.
  var goesAlong: Bool { work == nil }

  /// The census: of all objects, when it is confirmed.
  var census: Census {
    if isConfirmed, case .success(let found) = found { found.census } else { basis.census }
  }

  /// Compares what was foretold with the census, which another thread may still be taking.
  ///
  /// - Parameter census: The census of what was written, if it was taken.
  /// - Returns: The archive, with its digest.
  /// - Throws: `ArchiveError` if the census is not what was foretold.
  func confirm(_ census: Census?) throws(ArchiveError) -> SurveyedArchive {
    if found == nil, let census {
      let archive = SurveyedArchive(basis.archives[0].input, file, surveyor.options.spill)
      found = .success(FileSurvey(archives: [archive], census: census))
    }
    let survey = try self.survey().get()
    // Later passes ask again.
    isConfirmed = isConfirmed || CensusOutline(survey.census) == outline
    guard isConfirmed else {
      throw ArchiveError(.unreadable, name: "it is not what its sample foretold")
    }
    return survey.archives[0]
  }

  /// What the first reading finds; waits for it.
  func survey() -> Result<FileSurvey, ArchiveError> {
    if let found { return found }
    let input = basis.archives[0].input
    var kept = ArchiveSurveyor.Kept()
    let result = work?.next() ?? surveyor.survey(input, in: file, &kept)
    found = result
    return result
  }
}

/// What an import goes by.
struct ImportBasis {
  /// The archives that are sound.
  var archives: [SurveyedArchive]
  var census: Census
  var plan: ImportPlan
}

extension Conversion {
  /// Begins with a large archive by what a sample foretells of its census, where that can be done.
  ///
  /// - Parameters:
  ///   - inputs: The inputs: one archive.
  ///   - guide: What steers the import.
  ///   - writes: Whether rows are written, and so all objects read; else a store is compared.
  mutating func startEarly(_ inputs: [InputFinder.Input], _ guide: ImportGuide, writes: Bool) {
    guard inputs.count == 1, !options.salvages, !options.opensNested else { return }
    let input = inputs[0]
    do {
      let conditions = options.earlyStart
      let file =
        if let file = openArchives[input.path] { file } else {
          try ArchiveFile(path: input.path, options.sourceOpener)
        }
      openArchives.keep(file, at: input.path, isOnly: true)
      guard file.source.byteCount >= conditions.bytes else { return }
      meterReading(of: inputs)
      let census = try CensusTaker.takeSample(
        of: file.source, opaqueClasses: opaqueClasses, limits: options.limits,
        size: conditions.sample, library: library)
      let archive = SurveyedArchive(input, file, sha256: "", options.spill)
      let basis = ImportBasis(
        archives: [archive], census: census, plan: try plan(for: census, guide))
      let goesAlong = writes && basis.plan.isPlain
      guard goesAlong || options.jobs > 1 else { return }
      let surveyor = ArchiveSurveyor(
        options: options, opaqueClasses: opaqueClasses, leftOut: [], openArchives: openArchives,
        meter: nil)
      earlyStart = EarlyStart(basis, file, surveyor, goesAlong: goesAlong)
    } catch {
      // What is wrong with it is told when the census is taken.
    }
  }

  /// Ends an early start; returns whether what was written by it counts.
  ///
  /// If not, the first reading need not be done again for a large archive, and many small ones may be
  /// begun with anew.
  mutating func confirmEarlyStart(_ guide: ImportGuide) -> Bool {
    if let groups = earlyGroups.take() {
      if !groups.isConfirmed { startAgain(after: groups, guide) }
      return groups.isConfirmed
    }
    guard let early = earlyStart else { return true }
    earlyStart = nil
    guard !early.isConfirmed else { return true }
    let path = early.basis.archives[0].input.path
    openArchives.keep(early.file, at: path, isOnly: true)
    surveys[path] = early.survey()
    return false
  }
}
