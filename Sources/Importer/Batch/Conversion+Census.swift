import ArchiveReader

extension Conversion {
  /// Finds the archives among the inputs and takes their census.
  mutating func surveyed() throws(ConversionError) -> ([InputFinder.Input], Census) {
    let finder = InputFinder(inputs, options.filter)
    return try takeCensus(of: finder.inputs, try noteUnreadable(finder))
  }

  /// Lists the inputs that cannot be read; returns what happens to archives that are not sound.
  mutating func noteUnreadable(
    _ finder: InputFinder
  ) throws(ConversionError) -> ConversionOptions.ErrorPolicy {
    let policy = options.errorPolicy ?? (finder.hasDirectory ? .skip : .stop)
    for (path, reason) in finder.unreadable {
      guard policy == .skip else { throw .unreadable(path: path, reason: reason) }
      report.archives.append(
        .init(path: path, outcome: .rejected, error: "cannot be read: \(reason)"))
    }
    report.skippedFiles = finder.skippedFiles
    report.excludedFiles = finder.excludedFiles
    return policy
  }

  /// Takes the census of all archives.
  ///
  /// - Parameters:
  ///   - inputs: The files.
  ///   - policy: What happens to a file that is not sound.
  ///   - leftOut: The paths of archives that are left out: they break rules.
  /// - Returns: The archives that are sound, of which there is one at least, and their census.
  ///   Those inside of others stand behind them.
  /// - Throws: `ConversionError` if nothing is left, or the policy is to stop.
  mutating func takeCensus(
    of inputs: [InputFinder.Input], _ policy: ConversionOptions.ErrorPolicy,
    leavingOut leftOut: Set<String> = []
  ) throws(ConversionError) -> ([InputFinder.Input], Census) {
    let (archives, skippedFiles) = (report.archives, report.skippedFiles)
    while true {
      report.archives = archives
      report.skippedFiles = skippedFiles
      var census = Census()
      var accepted: [InputFinder.Input] = []
      nestedInputs = [:]
      for input in inputs where !leftOut.contains(input.path) {
        do throws(ArchiveError) {
          let file = try open(input)
          let own = try takeCensus(of: file.archive)
          let inner = try nested(in: file, input, most: options.limits.nestedArchives)
          census.merge(own)
          accepted.append(input)
          guard !inner.isEmpty else { continue }
          var budget = NestedBudget(file.archive, own, options.limits)
          takeCensus(ofNested: inner, leavingOut: leftOut, &budget, &census, &accepted)
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
      openChain = nil
      guard !census.misfits.subtracting(opaqueClasses).isEmpty else {
        guard accepted.isEmpty else { return (accepted, census) }
        let rejected = report.archives.filter { $0.outcome == .rejected }
        if rejected.isEmpty { throw .noArchive }
        throw .allRejected(rejected.map { ($0.path, $0.error ?? "") })
      }
      // Some objects of a known class hold something else than a value of the class. All of its
      // objects become rows then, so that nothing of them is lost.
      opaqueClasses.formUnion(census.misfits)
    }
  }

  private func takeCensus(of archive: KeyedArchive) throws(ArchiveError) -> Census {
    do throws(ArchiveError) {
      return try CensusTaker.take(
        of: archive, opaqueClasses: opaqueClasses, limits: options.limits)
    } catch {
      throw archive.propertyList.explained(error)
    }
  }

  /// Opens a file, unless it is open.
  mutating func openFile(_ path: String) throws(ArchiveError) -> ArchiveFile {
    if let file = openFiles[path] { return file }
    let file = try ArchiveFile(
      path: path, limits: options.limits, salvages: options.salvages)
    if openBytes + file.residentBytes <= Self.mostOpenBytes {
      openFiles[path] = file
      openBytes += file.residentBytes
    }
    return file
  }
}
