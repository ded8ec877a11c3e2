import ArchiveReader
import Support

/// The match of inputs with the archives of a store.
extension StoreVerifier {
  /// Finds out which bytes the inputs have.
  ///
  /// Archives are opened as the first run opened them, and stay open as far as there is room.
  mutating func identify(
    _ inputs: [InputFinder.Input], _ record: RunRecord
  ) throws(ConversionError) {
    let opening = record.conversionOptions(options)
    openOptions = opening
    let identifier = InputIdentifier(
      openArchives: openArchives, opener: opening.sourceOpener, isOnly: inputs.count == 1)
    let meter = options.onProgress.map { ProgressMeter(inputs.map(\.path), $0) }
    meter?.begin(.identifying, inputs.map(\.path))
    let work = OrderedWork(inputs, jobs: options.jobs) { input in
      meter?.begin(input.path)
      defer { meter?.end(input.path) }
      return identifier.digest(of: input.path)
    }
    defer { work.cancelAndWait() }
    for input in inputs {
      do throws(ArchiveError) {
        guard let digest = try work.next()?.get() else { break }
        files[digest, default: []].append(input)
      } catch {
        throw ConversionError.rejected(path: input.path, error)
      }
    }
  }

  /// The inputs that are the files that a store lists; nil where none is, which is a difference.
  mutating func take(
    _ listed: [ListedArchive], _ comparison: StoreComparison
  ) -> [InputFinder.Input?] {
    listed.map { archive in
      takeInput(archive.sha256, path: archive.path, row: archive.id, comparison.findings)
    }
  }

  /// The next input with the bytes of an archive that a store lists; nil where there is none, which
  /// is a difference.
  ///
  /// Of files with the same bytes, each is taken once as long as there are others.
  mutating func takeInput(
    _ sha256: String, path: String, row: Int64?, _ findings: VerificationFindings
  ) -> InputFinder.Input? {
    let known = files[sha256] ?? []
    guard let input = known.first(where: { !usedPaths.contains($0.path) }) ?? known.first else {
      // Where one archive is looked at, the others need not be there.
      guard edits == nil else { return nil }
      let changed = files.values.joined().first { $0.path.utf8.elementsEqual(path.utf8) }
      if let changed { usedPaths.insert(changed.path) }
      findings.add(
        archive: path.isEmpty ? nil : path, entity: RelationalLayout.archiveTable, row: row,
        property: "", expected: "an archive that is among the inputs",
        found: changed == nil
          ? "was converted, but is not among the inputs" : "has changed since it was converted")
      return nil
    }
    usedPaths.insert(input.path)
    return input
  }

  /// The archives of a run in the order of the store, those inside of others after them.
  func archives(
    _ listed: [ListedArchive], _ found: [InputFinder.Input?], _ accepted: [InputFinder.Input],
    _ comparison: StoreComparison
  ) -> [VerifiedArchive] {
    var groups: [String: [InputFinder.Input]] = [:]
    for input in accepted { groups[input.nesting?.file ?? input.path, default: []].append(input) }
    var archives: [VerifiedArchive] = []
    var waiting: [InputFinder.Input] = []
    var ids: [Int64] = []
    var files = found.makeIterator()
    for archive in listed {
      if archive.parent == nil {
        tellMissing(waiting, comparison)
        waiting = (files.next() ?? nil).flatMap { groups[$0.path] } ?? []
      }
      guard !waiting.isEmpty else {
        archives.append(
          VerifiedArchive(
            id: archive.id, path: archive.path, parent: archive.parent, isPresent: false))
        if archive.parent != nil {
          comparison.findings.add(
            archive: archive.path, entity: RelationalLayout.archiveTable, row: archive.id,
            property: "", expected: "an archive inside another",
            found: "was converted, but is not inside the other")
        }
        continue
      }
      let input = waiting.removeFirst()
      ids.removeLast(max(0, ids.count - (input.nesting?.depth ?? 0)))
      archives.append(
        VerifiedArchive(
          id: archive.id, path: input.path, parent: ids.last, place: input.nesting?.place))
      ids.append(archive.id)
    }
    tellMissing(waiting, comparison)
    return archives
  }

  private func tellMissing(_ inputs: [InputFinder.Input], _ comparison: StoreComparison) {
    for input in inputs {
      comparison.findings.add(
        archive: input.path, entity: RelationalLayout.archiveTable, row: nil, property: "",
        expected: "an archive of the store", found: "is not in the store")
    }
  }

  /// Compares the archives that a store keeps with the digests that it has of them.
  func compareOriginals(
    _ records: [RunRecord], _ listed: [ListedArchive], _ findings: VerificationFindings
  ) throws {
    let reversible = records.filter { $0.options.reversible == true }
    guard !reversible.isEmpty else { return }
    let known = Dictionary(
      listed.map { ($0.id, ($0.bytes, $0.sha256)) }, uniquingKeysWith: { first, _ in first })
    let folder = try PrivateFolder()
    let kept = try OriginalArchives.restore(known, fromStoreAt: path, to: folder)
    for archive in listed where reversible.contains(where: { $0.archives.contains(archive.id) }) {
      findings.count(values: 1, links: 0)
      let isThere = kept.files[archive.id] != nil
      guard !isThere || kept.damaged.contains(archive.id) else { continue }
      findings.add(
        archive: archive.path, entity: RelationalLayout.originalTable, row: nil, property: "bytes",
        expected: "the bytes of the archive",
        found: isThere ? "other bytes" : "nothing")
    }
  }

  /// Each archive belongs to one run, and runs follow each other.
  ///
  /// - Returns: The archives of each run.
  func compareRanges(
    of records: [RunRecord], _ listed: [ListedArchive], _ comparison: StoreComparison
  ) -> [ArraySlice<ListedArchive>] {
    var slices: [ArraySlice<ListedArchive>] = []
    var rest = listed[...]
    for record in records {
      let start = rest.firstPlace { $0.id >= record.archives.lowerBound }
      let end = rest[start...].firstPlace { $0.id > record.archives.upperBound }
      let own = rest[start..<end]
      for (column, expected, found) in [
        ("first_archive", own.first?.id, record.archives.lowerBound),
        ("last_archive", own.last?.id, record.archives.upperBound),
      ] where found != expected {
        comparison.findings.add(
          archive: nil, entity: RelationalLayout.runTable, row: record.id, property: column,
          expected: expected.map { "\($0)" } ?? "an archive", found: "\(found)")
      }
      slices.append(own)
      // A run has none of those that another had before it.
      if !own.isEmpty { rest = rest[end...] }
    }
    return slices
  }
}

extension ArraySlice {
  /// The first place from which on elements fulfil a condition, which all after it do.
  fileprivate func firstPlace(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
