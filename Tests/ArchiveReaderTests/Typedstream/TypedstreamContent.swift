import ArchiveReader
import GraphTesting
import TestSupport
import Testing

/// What is read from a typedstream, in words: see `ObjectGraph.text(of:)`.
struct TypedstreamContent {
  let archive: KeyedArchive
  private(set) var roots: [String] = []
  /// The objects with keys of their own.
  private(set) var objects: [String] = []
  let misfits: [String]

  init(_ bytes: [UInt8]) throws {
    archive = try KeyedArchive(PropertyList(typedstream: ByteStorage(bytes)))
    #expect(checkGraph(archive) == [])
    let graph = archive.makeGraph(GraphOptions(countsUnreached: true))
    for root in archive.roots {
      roots.append("\(root.key): \(try graph.text(of: try graph.value(of: root)))")
    }
    for uid in 1..<max(1, archive.objectCount) {
      guard case .object = try graph.value(ofObject: uid) else { continue }
      objects.append(try graph.text(ofObject: uid))
    }
    misfits = graph.misfitNames
    #expect(graph.countUnreachedObjects() == 0)
  }

  /// The only root.
  static func root(_ write: (inout TypedstreamWriter) -> Void) throws -> String {
    let content = try TypedstreamContent(.stream { $0.group("@", write) })
    try #require(content.roots.count == 1 && content.roots[0].hasPrefix("root: "))
    return String(content.roots[0].dropFirst(6))
  }
}

extension [UInt8] {
  static func stream(_ write: (inout TypedstreamWriter) -> Void) -> [UInt8] {
    TypedstreamWriter.stream(write)
  }
}

/// One stream, and what is read from it.
struct TypedstreamCase: Sendable, CustomTestStringConvertible {
  typealias Writing = @Sendable (inout TypedstreamWriter) -> Void

  var testDescription: String
  var expected: [String]
  var write: Writing

  init(_ name: String, _ expected: String..., write: @escaping Writing) {
    (testDescription, self.expected, self.write) = (name, expected, write)
  }
}
