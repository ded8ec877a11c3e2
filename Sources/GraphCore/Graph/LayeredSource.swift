/// A source that reads another one, with something of it changed.
///
/// What is not changed is as the other has it.
protocol LayeredSource: GraphSource {
  /// The source that is read.
  var base: any GraphSource { get }
}

extension LayeredSource {
  package var format: SourceFormat { base.format }
  package var archiver: String { base.archiver }
  package var version: Int64 { base.version }
  package var byteCount: Int { base.byteCount }
  package var forbiddenCharacters: Int { base.forbiddenCharacters }
  package var unreadKeys: [UnreadKey: Int] { base.unreadKeys }
  package var losses: [ArchiveError] { base.losses }
  package var lossCount: Int { base.lossCount }

  /// The place in the source that is read; none for an object that only this one has.
  package func place(ofObject uid: Int) -> ObjectPlace {
    uid < base.objectCount ? base.place(ofObject: uid) : ObjectPlace()
  }

  package func check() throws(ArchiveError) { try base.check() }
  package func explained(_ error: ArchiveError) -> ArchiveError { base.explained(error) }
}
