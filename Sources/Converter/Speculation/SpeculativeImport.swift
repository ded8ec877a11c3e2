import ArchiveReader
import CoreDataStores
import Importer
import Support

/// Lets the rows of a large archive be written before its profile is complete.
///
/// A sample of its objects predicts the profile, and so the plan. Where most rows come straight
/// from the archive, the profile is taken of what is read for them, so that each object is read
/// once; else another thread takes it meanwhile. If it has the outline that was predicted, the plan
/// is the one that it leads to, and the rows are what they would have been. If not, nothing that
/// was written counts.
///
/// In the same way a store is compared while the profile of its archive is being taken.
package final class SpeculativeImport {
  /// The basis of the import: the profile is that of the sample, and no digest is known yet.
  let basis: Speculation.Basis
  let file: ArchiveFile
  private let outline: SchemaFingerprint
  private let surveyor: ArchiveSurveyor
  /// The profile that another thread takes; nil where it goes along with the import.
  private let work: OrderedWork<InputFinder.Input, Result<ArchiveSurveyor.Survey, ArchiveError>>?
  private var found: Result<ArchiveSurveyor.Survey, ArchiveError>?
  /// True if the profile is the predicted one, as far as is known.
  private(set) var isConfirmed = false

  /// Begins.
  ///
  /// - Parameters:
  ///   - basis: The basis of the import.
  ///   - file: The archive, open.
  ///   - surveyor: Takes the profile.
  ///   - observesImport: True if the profile is taken of the rows that are written, rather than
  ///     beside.
  init(
    _ basis: Speculation.Basis, _ file: ArchiveFile, _ surveyor: ArchiveSurveyor,
    observesImport: Bool
  ) {
    self.basis = basis
    self.file = file
    self.surveyor = surveyor
    outline = SchemaFingerprint(basis.profile)
    work =
      observesImport
      ? nil
      : OrderedWork([basis.archives[0].input], jobs: 1, isBeside: true) {
        var kept = ArchiveSurveyor.Kept()
        return { input in surveyor.survey(input, in: file, &kept) }
      }
  }

  /// True if the profile is taken of the rows that are written.
  var observesImport: Bool { work == nil }

  /// The profile: of all objects, when it is confirmed.
  var profile: SchemaProfile {
    if isConfirmed, case .success(let found) = found { found.profile } else { basis.profile }
  }

  /// Compares what was predicted with the profile, which another thread may still be taking.
  ///
  /// - Parameter profile: The profile of what was written, if it was taken.
  /// - Returns: The archive, with its digest.
  /// - Throws: `WrongGuess` if the profile is not what was predicted, `ArchiveError` if it could
  ///   not be taken.
  func confirm(_ profile: SchemaProfile?) throws -> ArchiveSurveyor.SurveyedArchive {
    if found == nil, var profile {
      profile.records = basis.profile.records
      let archive = ArchiveSurveyor.SurveyedArchive(
        basis.archives[0].input, file, surveyor.options.spill)
      var survey = ArchiveSurveyor.Survey(archives: [archive], profile: profile)
      survey.take(file.source)
      found = .success(survey)
    }
    let survey = try self.survey().get()
    // Later passes ask again.
    isConfirmed = isConfirmed || SchemaFingerprint(survey.profile) == outline
    guard isConfirmed else { throw Speculation.WrongGuess() }
    return survey.archives[0]
  }

  /// The result of the first reading; waits for it.
  func survey() -> Result<ArchiveSurveyor.Survey, ArchiveError> {
    if let found { return found }
    let input = basis.archives[0].input
    let result = work?.next() ?? surveyAgain(input)
    found = result
    return result
  }

  private func surveyAgain(
    _ input: InputFinder.Input
  ) -> Result<ArchiveSurveyor.Survey, ArchiveError> {
    var (surveyor, kept) = (surveyor, ArchiveSurveyor.Kept())
    surveyor.isBeside = false
    surveyor.meter?.begin(.reading, [input.path])
    return surveyor.survey(input, in: file, &kept)
  }
}

extension Conversion {
  /// Begins with a large archive by what a sample predicts of its profile, where that can be done.
  ///
  /// - Parameters:
  ///   - inputs: The inputs: one archive.
  ///   - configuration: The settings of the import.
  ///   - writes: True if rows are written, and so all objects read; else a store is compared.
  mutating func speculate(
    _ inputs: [InputFinder.Input], _ configuration: ImportConfiguration, writes: Bool
  ) {
    guard inputs.count == 1, !options.salvages, !options.opensNested else { return }
    let input = inputs[0]
    do {
      let conditions = options.speculation
      var file =
        if let file = openArchives[input.path] { file } else {
          try ArchiveFile(path: input.path, options.sourceOpener)
        }
      var evidence = RecordEvidence()
      if file.source.byteCount >= conditions.bytes {
        // Which dictionaries are records no sample tells.
        evidence = options.recordEvidence(in: file.source)
        if !decideRecords(evidence) { file = ArchiveFile(file, options.sourceOpener) }
      }
      openArchives.keep(file, at: input.path, isOnly: true)
      // What the model of a store says needs no sample.
      guard file.source.byteCount >= conditions.bytes, !(file.source is any ModelledSource) else {
        return
      }
      meterReading(of: inputs)
      var profile = try SchemaProfiler.takeSample(
        of: file.source, classesReadAsObjects: classesReadAsObjects, limits: options.limits,
        size: conditions.sample, library: library)
      profile.records = evidence
      let archive = ArchiveSurveyor.SurveyedArchive(input, file, sha256: "", options.spill)
      let basis = Speculation.Basis(
        archives: [archive], profile: profile, plan: try plan(for: profile, configuration))
      // A model that no class meets is an error, which all of the archive decides.
      guard
        profile.classes.isEmpty
          || profile.classes.contains(where: { basis.plan.converts(className: $0.name) })
      else { return }
      let observesImport = writes && basis.plan.isObservable(profile)
      guard observesImport || options.jobs > 1 else { return }
      let surveyor = ArchiveSurveyor(
        options: options, classesReadAsObjects: classesReadAsObjects, leftOut: [],
        openArchives: openArchives,
        meter: meter, isBeside: true)
      speculation = .archive(
        SpeculativeImport(basis, file, surveyor, observesImport: observesImport))
    } catch {
      // What is wrong with it is told when the profile is taken.
    }
  }
}
