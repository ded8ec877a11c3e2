import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// How many random graphs the tests of this file convert in all, and how many in one run.
private let graphCount = 1_000
private let graphsInRun = 25

@Suite("Random models and graphs")
struct RandomGraphTests {
  /// In which ways rows are made.
  enum Way: CaseIterable {
    case model, oneByOne, hooks
  }

  /// The runs, by their seeds; some of them have each way.
  private static let runs = Thoroughness.some(Array(0..<graphCount / 2 / graphsInRun), oneIn: 4)

  @Test("in which both sides agree are in the store as they are", arguments: runs)
  func agreeing(run: Int) throws {
    var generator = SeededGenerator(seed: UInt64(run))
    var graphs: [RandomGraph] = []
    var contents: [RandomGraph.Content] = []
    for number in 0..<graphsInRun {
      var graph = RandomGraph(prefix: "G\(number)", using: &generator)
      contents.append(graph.stateInAgreement(using: &generator))
      graphs.append(graph)
    }
    let converted = try GraphRun(graphs, Way.allCases[run % 3], inOrder: false, &generator)
    for (graph, content) in zip(graphs, contents) {
      let differences = try converted.differences(graph, content)
      #expect(differences == [])
    }
    #expect(converted.report.conflicts.map { "\($0)" } == [])
  }

  @Test(
    "in which the sides disagree follow the rules, and the conflicts are listed",
    arguments: runs)
  func disagreeing(run: Int) throws {
    var generator = SeededGenerator(seed: UInt64(1_000_000 + run))
    var graphs: [RandomGraph] = []
    for number in 0..<graphsInRun {
      var graph = RandomGraph(prefix: "G\(number)", using: &generator)
      graph.stateAtRandom(using: &generator)
      graphs.append(graph)
    }
    let converted = try GraphRun(graphs, Way.allCases[run % 3], inOrder: true, &generator)
    for graph in graphs {
      let oracle = RelationshipOracle(graph)
      let differences = try converted.differences(graph, oracle.content)
      #expect(differences == [])
      let conflicts = try converted.conflicts(graph)
      #expect(conflicts == oracle.conflicts)
    }
    #expect(converted.report.conflictCount == converted.report.conflicts.count)
  }
}

/// One conversion of several graphs, each with a model and archives of its own.
private struct GraphRun {
  let report: ConversionReport
  private let store: StoreQuery
  private let folder: TemporaryFolder
  private var paths: [String: [String]] = [:]

  init(
    _ graphs: [RandomGraph], _ way: RandomGraphTests.Way, inOrder: Bool,
    _ generator: inout SeededGenerator
  ) throws {
    folder = try TemporaryFolder()
    var options = ConversionOptions()
    options.verifies = true
    options.model = Model(entities: graphs.flatMap { $0.entityModels() })
    switch way {
    case .model: break
    case .oneByOne: options.avoidsPlainRows = true
    case .hooks: options.extensions.hooks = [CopyingHook.self]
    }
    var inputs: [String] = []
    for graph in graphs {
      for archive in graph.archives(inOrder: inOrder, using: &generator) {
        let path = try folder.write(archive.binary(), to: "a\(inputs.count).plist")
        inputs.append(path)
        paths[graph.prefix, default: []].append(path)
      }
    }
    let output = folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: inputs, destination: output, options: options)
    report = try conversion.run()
    #expect(report.verification?.differences == [])
    #expect(report.verification?.notCompared == [])
    store = try StoreQuery(output)
    let flaws = try store.flaws()
    #expect(flaws == [])
  }

  func differences(_ graph: RandomGraph, _ content: RandomGraph.Content) throws -> [String] {
    try GraphStore(store, graph, paths: paths[graph.prefix] ?? [], holds: content).differences
  }

  /// The conflicts of a graph, with the objects in the place of the rows.
  func conflicts(_ graph: RandomGraph) throws -> [String] {
    try report.conflicts.filter { $0.property.hasPrefix("\(graph.prefix)r") }.map { conflict in
      let entity = try #require(graph.entities.firstIndex { $0.name == conflict.entity })
      let table = graph.entities[graph.root(of: entity)].name
      let tag = try store.value("SELECT tag FROM \(table) WHERE id = \(conflict.row)")
      let number = try #require(Int(tag))
      #expect(conflict.archive == paths[graph.prefix]?[graph.objects[number].archive])
      return "\(conflict.code) \(conflict.property) \(tag)"
    }.sorted()
  }
}

/// Sets each property to what stands under the key of its name.
private struct CopyingHook: ImportHook {
  static let archivedClassNames = (0..<graphsInRun).flatMap { graph in
    (0..<RandomGraph.maxEntities).map { "G\(graph)E\($0)" }
  }

  static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
    let row = try coder.insert()
    for key in coder.allKeys { row[key] = try coder.decodeObject(forKey: key) }
    return row
  }
}
