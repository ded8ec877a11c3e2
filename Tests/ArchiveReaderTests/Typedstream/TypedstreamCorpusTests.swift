import Foundation
import GraphTesting
import TestSupport
import Testing

@testable import ArchiveReader

@Suite(
  "The corpus of typedstreams",
  .enabled(if: Repository.corpus != nil, "there is no ../shared/corpus beside the repository"))
struct TypedstreamCorpusTests {
  /// What an independent reader counted in a file.
  struct Counts: Decodable {
    var size: Int
    var signature: String
    var streamer_version: Int64
    var class_definitions: [String: Int]
    var events: [String: Int]
  }

  @Test("has as many objects, classes, groups and values of each kind as another reader finds")
  func counts() throws {
    let corpus = try #require(Repository.corpus)
    let oracle = try JSONDecoder().decode(
      [String: Counts].self,
      from: Data(contentsOf: URL(fileURLWithPath: "\(corpus)/typedstream-oracle.json")))
    #expect(oracle.count > 30)
    for (name, expected) in oracle {
      let bytes = try ByteStorage(contentsOf: "\(corpus)/typedstream/\(name)")
      let stream = try Typedstream.Reader.read(bytes.borrowed, limits: .standard)
      var kinds: [Typedstream.Token.Kind: Int] = [:]
      var (structures, groups) = (0, 0)
      for token in stream.tokens {
        kinds[token.kind, default: 0] += 1
        if token.kind == .group || token.type > 0 { groups += 1 }
        if token.kind == .list, stream.steps[token.number].letter == UInt8(ascii: "{") {
          structures += 1
        }
      }
      let numbers = [.character, .integer, .unsigned].map { kinds[$0, default: 0] }.reduce(0, +)
      let found = [
        "BeginObject": stream.objects.count, "BeginTypedValues": groups,
        "SingleClass": stream.classes.count, "float": kinds[.real, default: 0],
        "bool": kinds[.bool, default: 0], "ByteArray": kinds[.data, default: 0],
        "bytes": kinds[.text, default: 0], "int": numbers, "BeginStruct": structures,
        "BeginArray": kinds[.list, default: 0] - structures,
      ]
      for (event, count) in found {
        #expect(count == expected.events[event, default: 0], "\(name): \(event)")
      }
      let classes = stream.classes.map {
        stream.name(of: $0, bytes.borrowed).replacing("#", with: "#v")
      }
      let counted = Dictionary(classes.map { ($0, 1) }, uniquingKeysWith: +)
      #expect(counted == expected.class_definitions, "\(name)")
      #expect(stream.version == expected.streamer_version)
      #expect(bytes.count == expected.size)
    }
  }

  @Test("keeps the laws of object graphs", arguments: Repository.corpusFiles(in: "typedstream"))
  func laws(path: String) throws {
    let archive = try KeyedArchive(PropertyList(typedstream: ByteStorage(contentsOf: path)))
    #expect(checkGraph(archive) == [])
    #expect(archive.losses == [])
    #expect(try archive.inspect(limits: .standard).danglingReferences == [])
  }

  /// A file that was made by hand, and what must become of it.
  struct Made: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var path: String
    var expected: String
    /// Where another reader met the mistake.
    var offset: Int?
  }

  private static let files: [Made] = {
    guard let corpus = Repository.corpus else { return [] }
    let folder = corpus.replacing("/corpus", with: "/typedstream-made")
    let table = try? String(contentsOfFile: "\(folder)/EXPECTED.tsv", encoding: .utf8)
    return (table ?? "").split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Made(
        testDescription: fields[0], path: "\(folder)/\(fields[0])", expected: fields[1],
        offset: fields[4].split(separator: "@").last.flatMap { Int($0) })
    }
  }()

  @Test(
    "is told from files made by hand that are faulty, at the place of the mistake", arguments: files
  )
  func made(file: Made) throws {
    let bytes = try ByteStorage(contentsOf: file.path)
    guard file.expected != "error" else {
      let error = try #require(throws: ArchiveError.self) {
        try PropertyList(typedstream: bytes)
      }
      guard case .byte(let offset)? = error.position else {
        Issue.record("\(error)")
        return
      }
      // The other reader tells where it stopped, behind the beginning of the value.
      if let other = file.offset { #expect((other - 11...other).contains(offset), "\(error)") }
      return
    }
    let archive = try KeyedArchive(PropertyList(typedstream: bytes))
    #expect(archive.objectCount > 10_000 || checkGraph(archive) == [])
    let graph = archive.makeGraph(GraphOptions())
    for uid in 0..<archive.objectCount { _ = try graph.value(ofObject: uid) }
    let isMisfit = file.expected.hasPrefix("reads as a stream")
    #expect((graph.nonconformingClasses.isEmpty && archive.losses.isEmpty) == !isMisfit)
    #expect(archive.version == (file.expected == "read, flagged" ? 3 : 4))
  }
}
