import Importer

/// Rows that are written by a plan which a part of the input predicts, before the profile of all of
/// it is known.
///
/// If the profile turns out to lead to another plan, nothing that was written counts, and the
/// conversion starts over with what is known by then.
enum Speculation {
  /// A sample of a large archive's objects predicts its profile.
  case archive(SpeculativeImport)
  /// Some of many small archives predict the profile of all.
  case batches(Batches)

  /// The basis of the import.
  var basis: Basis {
    switch self {
    case .archive(let speculation): speculation.basis
    case .batches(let speculation): speculation.basis
    }
  }

  /// The profile: of all objects, when it is confirmed.
  var profile: SchemaProfile {
    switch self {
    case .archive(let speculation): speculation.profile
    case .batches(let speculation): speculation.found.profile
    }
  }

  /// The large archive by itself, if it is one.
  var archive: SpeculativeImport? {
    if case .archive(let speculation) = self { speculation } else { nil }
  }

  /// The many small archives, if it is about such.
  var batches: Batches? {
    if case .batches(let speculation) = self { speculation } else { nil }
  }
}

extension Speculation {
  /// The archives, profile and plan of an import.
  struct Basis {
    /// The archives that are sound.
    var archives: [ArchiveSurveyor.SurveyedArchive]
    var profile: SchemaProfile
    var plan: ImportPlan
  }
}

extension Conversion {
  /// Ends a speculation; returns whether what was written by it counts.
  ///
  /// If not, the first reading need not be done again for a large archive, and many small ones may
  /// be begun with again.
  mutating func confirmSpeculation(_ configuration: ImportConfiguration) -> Bool {
    switch speculation.take() {
    case nil: return true
    case .batches(let batches):
      if !batches.isConfirmed { startAgain(after: batches, configuration) }
      return batches.isConfirmed
    case .archive(let archive):
      guard !archive.isConfirmed else { return true }
      let path = archive.basis.archives[0].input.path
      openArchives.keep(archive.file, at: path, isOnly: true)
      surveys[path] = archive.survey()
      return false
    }
  }
}

extension ConversionOptions {
  /// When rows are written before the profile is complete.
  package struct SpeculationThresholds: Sendable {
    /// The least size of the archive, in bytes: a small one is read in no time.
    package var bytes = 16 << 20
    package var sample = ProfileSample.Size()
    /// The least number of files, if they are small.
    package var files = 256
    /// The number of the first files that predict the profile; as many others do, here and there.
    package var sampledFiles = 32
    /// The greatest size of files, in bytes, if nothing is to be kept on the way: that takes time,
    /// too.
    package var unkeptBytes = 256 << 20
  }
}

extension Speculation {
  /// That a sample did not predict what the inputs hold, or that it is not worth going on by it.
  ///
  /// Nothing that was written counts then, and the conversion starts over: no user sees it.
  struct WrongGuess: Error {}
}
