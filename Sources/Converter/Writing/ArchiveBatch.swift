/// Archives that become nothing but plain rows, small ones, whose turns one thread prepares
/// together.
///
/// Their rows are numbered by themselves, so several threads prepare several groups at the same
/// time.
struct ArchiveBatch: Sendable {
  var importJobs: ArraySlice<Conversion.ImportJob>
  /// True if they are prepared at all: the rows of a large archive would take too much memory.
  var isPrepared: Bool

  /// Puts archives into groups; those of one file stay together.
  ///
  /// - Parameters:
  ///   - importJobs: The archives.
  ///   - options: The options, which may ask to keep at once what is done.
  /// - Returns: The groups.
  static func groups(
    of importJobs: ArraySlice<Conversion.ImportJob>, _ options: ConversionOptions
  ) -> [ArchiveBatch] {
    // Where files end.
    let ends = importJobs.indices.filter { importJobs[$0].isLastOfFile }.map { $0 + 1 }
    let starts = [importJobs.startIndex] + ends.dropLast()
    let sizes = zip(starts, ends).map { start, end in
      importJobs[start..<end].reduce(0) { $0 + ($1.archive.entry.bytes ?? 0) }
    }
    return Groups(sizes, isEach: options.checkpointInterval == .zero).ranges.map { files in
      ArchiveBatch(
        importJobs: importJobs[starts[files.lowerBound]..<ends[files.upperBound - 1]],
        isPrepared: sizes[files.lowerBound] <= Groups.largestFile)
    }
  }
}
