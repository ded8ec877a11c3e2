extension MigrationGraph {
  /// Finds the best path from one version to another: see `MigrationPlan`.
  ///
  /// Dijkstra's algorithm over pairs of a version and whether the step to it was inferred, since
  /// two inferred steps may not follow each other.
  struct Search {
    typealias Link = MigrationGraph.Link

    private let graph: MigrationGraph
    /// The mapping models that were inferred on the way.
    private(set) var inferred: [Link: InferredMapping] = [:]
    /// Why none can be inferred from the source to the target.
    private(set) var directReasons: [InferenceFinding] = []
    private var refused: Set<Link> = []
    /// The versions that the path may lead through.
    private let allowed: Set<Int>
    /// The versions that a mapping model leads on from.
    private let mapped: Set<Int>
    /// Whether inferred steps may follow each other.
    private let chainsInference: Bool

    init(_ graph: MigrationGraph, chainsInference: Bool = false) {
      self.graph = graph
      self.chainsInference = chainsInference
      allowed = graph.versionsBetween()
      mapped = Set(graph.edges.keys.map(\.source))
    }

    /// A place on the way.
    private struct State: Hashable {
      var version: Int
      var isInferred: Bool
    }

    /// What it costs to come to a place, the most important first.
    private struct Cost: Comparable {
      var changes = 0
      var drifts = 0
      var path: [Int]

      static func < (one: Cost, other: Cost) -> Bool {
        let key = (one.changes, one.drifts, one.path.count)
        let otherKey = (other.changes, other.drifts, other.path.count)
        return key == otherKey
          ? one.path.lexicographicallyPrecedes(other.path) : key < otherKey
      }
    }

    /// The numbers of the versions along the best path; nil if there is none.
    mutating func shortestPath() -> [Int]? {
      guard graph.source != graph.target else { return [graph.source] }
      var open = [State(version: graph.source, isInferred: false): Cost(path: [graph.source])]
      var done: Set<State> = []
      while let (state, cost) = open.min(by: { $0.value < $1.value }) {
        guard state.version != graph.target else { return cost.path }
        open[state] = nil
        done.insert(state)
        for (next, nextCost) in steps(from: state, cost) where !done.contains(next) {
          if let known = open[next], known < nextCost { continue }
          open[next] = nextCost
        }
      }
      return nil
    }

    /// The places that one step leads to.
    private mutating func steps(from state: State, _ cost: Cost) -> [(State, Cost)] {
      var steps: [(State, Cost)] = []
      for target in graph.versions.indices
      where target != state.version && allowed.contains(target) {
        let link = Link(source: state.version, target: target)
        var next = cost
        next.path.append(target)
        if let edges = graph.edges[link] {
          next.drifts += edges.contains { !$0.drifts.isEmpty } ? 1 : 0
          steps.append((State(version: target, isInferred: false), next))
        } else if chainsInference
          || !state.isInferred && (target == graph.target || mapped.contains(target)),
          let mapping = infer(link)
        {
          // Elsewhere it would have to be followed by another inferred step.
          next.changes += mapping.changeCount
          steps.append((State(version: target, isInferred: true), next))
        }
      }
      return steps
    }

    private mutating func infer(_ link: Link) -> InferredMapping? {
      if let known = inferred[link] { return known }
      guard !refused.contains(link) else { return nil }
      do throws(InferenceError) {
        let mapping = try InferredMapping(
          from: graph.versions[link.source].version.source.model,
          to: graph.versions[link.target].version.source.model)
        inferred[link] = mapping
        return mapping
      } catch {
        refused.insert(link)
        if link == Link(source: graph.source, target: graph.target) {
          directReasons = error.reasons
        }
        return nil
      }
    }
  }
}
