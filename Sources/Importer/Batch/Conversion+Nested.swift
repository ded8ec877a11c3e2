import ArchiveReader

/// Archives inside of others.
extension Conversion {
  /// Opens an archive: a file, or one inside of others, which stay open until another file is.
  mutating func open(_ input: InputFinder.Input) throws(ArchiveError) -> ArchiveFile {
    let path = input.nesting?.file ?? input.path
    guard options.opensNested else { return try openFile(path) }
    if openChain?.begins(with: path) != true {
      openChain = nil
      openChain = OpenChain(try openFile(path), path: path)
    }
    let place = input.nesting?.data ?? []
    if let file = try openChain?.open(place, options) { return file }
    throw ArchiveError(.unreadable, name: "it changed while it was read")
  }

  /// The archives that data values of an archive hold, if they are asked for: one more than may be
  /// opened at most.
  func nested(
    in file: ArchiveFile, _ input: InputFinder.Input, most: Int
  ) throws(ArchiveError) -> [InputFinder.Input] {
    guard options.opensNested else { return [] }
    let found = try NestedDataFinder.find(
      in: file.archive, opaqueClasses: opaqueClasses, limits: options.limits,
      most: most == .max ? most : max(0, most) + 1)
    return found.map(input.nested)
  }

  /// Takes the census of the archives inside of a file, and of those inside of them.
  ///
  /// One that is damaged is listed, and what is around it is converted: it holds the bytes.
  mutating func takeCensus(
    ofNested first: [InputFinder.Input], leavingOut leftOut: Set<String>,
    _ budget: inout NestedBudget, _ census: inout Census, _ accepted: inout [InputFinder.Input]
  ) {
    var pending = Array(first.reversed())
    while let input = pending.popLast() {
      guard let nesting = input.nesting else { continue }
      nestedInputs[nesting.file, default: []].append(input)
      guard !leftOut.contains(input.path) else { continue }
      do throws(ArchiveError) {
        try budget.spend(on: nesting)
        let file = try open(input)
        let own = try CensusTaker.take(
          of: file.archive, opaqueClasses: opaqueClasses, limits: options.limits, isNested: true)
        let inner = try nested(in: file, input, most: budget.archivesLeft - pending.count)
        try budget.spend(on: own)
        census.merge(own)
        accepted.append(input)
        pending += inner.reversed()
      } catch {
        report.archives.append(
          .init(path: input.path, outcome: .rejected, error: "\(error)", place: nesting.place))
        // The others are over the limit as well.
        if budget.archivesLeft < 0 { return }
      }
    }
  }
}
