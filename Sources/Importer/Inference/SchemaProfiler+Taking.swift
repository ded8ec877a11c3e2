import ArchiveReader
import DataModel
import Support

/// Profiles that are taken by a walk of their own.
extension SchemaProfiler {
  /// Takes the profile of an archive, which may be one inside of another.
  package static func take(
    of archive: any GraphSource, classesReadAsObjects: Set<String>, limits: ReadingLimits,
    isNested: Bool = false, ticker: ObjectTicker = ObjectTicker(nil),
    library: GraphLibrary? = nil
  ) throws(ArchiveError) -> SchemaProfile {
    let graph = archive.makeGraph(
      GraphOptions(
        limits: limits, classesReadAsObjects: classesReadAsObjects, library: library,
        countsUnreached: true))
    return try take(of: archive, graph, limits, isNested: isNested, ticker)
  }

  /// Takes the profile of one archive after the other.
  ///
  /// - Parameters:
  ///   - archive: The archive, which is in a file of its own.
  ///   - classesReadAsObjects: The same for all archives.
  ///   - limits: The same for all archives.
  ///   - ticker: Counts the objects.
  ///   - last: The graph that has read the archive before; nil for the first one.
  /// - Returns: The profile of the archive alone.
  /// - Throws: `ArchiveError` if it is damaged.
  package static func take(
    of archive: any GraphSource, classesReadAsObjects: Set<String>, limits: ReadingLimits,
    ticker: ObjectTicker, after last: inout (any ObjectGraph)?
  ) throws(ArchiveError) -> SchemaProfile {
    // One that fails is not used again.
    let earlier = last.take().flatMap { $0.reset(to: archive) ? $0 : nil }
    let graph =
      earlier
      ?? archive.makeGraph(
        GraphOptions(
          limits: limits, classesReadAsObjects: classesReadAsObjects, isReused: true,
          countsUnreached: true))
    let profile = try take(of: archive, graph, limits, isNested: false, ticker)
    last = graph
    return profile
  }

  private static func take(
    of archive: any GraphSource, _ graph: any ObjectGraph, _ limits: ReadingLimits, isNested: Bool,
    _ ticker: ObjectTicker
  ) throws(ArchiveError) -> SchemaProfile {
    // What a model says need not be looked for. A store that is read whole may have other objects in
    // its values.
    if let store = archive as? any ModelledSource, !store.keepsBytes, !store.holdsObjectsInValues {
      var ticker = ticker
      defer { ticker.end() }
      var profile = try SchemaProfile(declaredBy: store, graph, &ticker)
      profile.addUnreadKeys(of: store)
      return profile
    }
    var taker = SchemaProfiler(
      archive, limits, isNested: isNested, GraphTraversal(objectCount: archive.objectCount, ticker))
    var profile = try taker.walk(graph)
    if isNested {
      profile.declared = profile.classes.contains { $0.count > 0 } ? .nested : .none
    }
    return profile
  }

  /// Takes the profile of some of the objects of an archive: see `ProfileSample`.
  package static func takeSample(
    of archive: any GraphSource, classesReadAsObjects: Set<String>, limits: ReadingLimits,
    size: ProfileSample.Size, library: GraphLibrary
  ) throws(ArchiveError) -> SchemaProfile {
    let graph = archive.makeGraph(
      GraphOptions(limits: limits, classesReadAsObjects: classesReadAsObjects, library: library))
    var route = GraphTraversal(objectCount: archive.objectCount, ObjectTicker(nil))
    route.sample = ProfileSample(size)
    var taker = SchemaProfiler(archive, limits, isNested: false, route)
    return try taker.walk(graph)
  }
}
