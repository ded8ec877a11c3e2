import ArchiveReader

extension Conversion {
  /// Finds the archives among the inputs and takes their census.
  mutating func surveyed() throws(ConversionError) -> ([InputFinder.Input], Census) {
    let finder = InputFinder(inputs)
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
    return policy
  }

  /// Takes the census of all archives; returns those that are sound, of which there is one at
  /// least.
  mutating func takeCensus(
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
          census.merge(try takeCensus(of: file.archive))
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

  mutating func open(_ path: String) throws(ArchiveError) -> ArchiveFile {
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
