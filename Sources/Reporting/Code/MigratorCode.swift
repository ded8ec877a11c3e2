import Importer
import Stores
import Support

/// A Swift package that reads old archives into the records of a store, once.
struct MigratorCode {
  let outline: StoreOutline
  let source: MigratorSource

  /// The words that types may not be called, besides those of the records.
  static let reservedWords = SwiftCode.reservedWords(
    "ArchiveReader KeyedDecodable LegacyReader LegacyValues MigratorTests Testing Void",
    using: reader + values + migrator + testBody
  ).union(GRDBCode.reservedWords)

  func files() -> [CodeFile] {
    let sources = "Sources/\(source.name)"
    let need = "For GRDB 7 and ArchiveReader."
    var code = SwiftCode(importing: ["ArchiveReader", "Foundation", "GRDB"], for: need)
    code.add("LegacyReader", Self.reader)
    code.add("LegacyValues", Self.values)
    code.add("LegacyObjects", objects)
    code.add("LegacySchema", schema)
    code.add("Migrator", Self.migrator)
    var tests = SwiftCode(importing: ["Foundation", "GRDB", "Testing"], for: need)
    tests.add("MigratorTests", test)
    let all =
      (GRDBCode(outline).files() + code.files + [names]).map { $0.moved(to: sources) }
      + tests.files.map { $0.moved(to: "Tests/\(source.name)Tests") } + [manifest]
    return all.sorted { $0.name.precedesInBytes($1.name) }
  }

  private var manifest: CodeFile {
    CodeFile(
      name: "Package.swift",
      text: """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
          name: "\(source.name)",
          platforms: [.macOS(.v14), .iOS(.v17)],
          products: [.library(name: "\(source.name)", targets: ["\(source.name)"])],
          dependencies: [
            .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
            \(source.project.declaration),
          ],
          targets: [
            .target(
              name: "\(source.name)",
              dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"),
                \(source.project.product("ArchiveReader")),
              ]),
            .testTarget(
              name: "\(source.name)Tests", dependencies: ["\(source.name)"], exclude: ["Fixtures"]),
          ])

        """,
      isForHumans: true)
  }

  private var names: CodeFile {
    CodeFile(
      name: "LegacyNames.swift",
      text: """
        // A place for your own code: this file is written once.

        /// The names that classes and keys had in other versions of the app.
        enum LegacyNames {
          /// Former or later names of classes, each with the name in the archives of the store, as in
          /// ["App.Note": "Note"].
          static let classes: [String: String] = [:]
          /// The same for keys, by the class in the archives of the store, as in
          /// ["Note": ["heading": "title"]].
          static let keys: [String: [String: String]] = [:]
        }

        """,
      isForHumans: true)
  }

  // MARK: Tables

  private var schema: String {
    let statements = source.statements.map { statement in
      let lines = statement.split(separator: "\n", omittingEmptySubsequences: false)
        .map { "    " + SwiftSource.literal(String($0)).dropFirst().dropLast() }
      return "    \"\"\"\n\(lines.joined(separator: "\n"))\n    \"\"\",\n"
    }
    let classes = source.recordClasses.sorted { $0.key.precedesInBytes($1.key) }.map {
      "\(SwiftSource.literal($0.key)): \(SwiftSource.literal($0.value))"
    }
    let types = legacyTypes.map { "    \($0.name).self,\n" }
    return """
      /// The tables of the store, and the types of old objects.
      enum LegacySchema {
        static let statements = [
      \(statements.joined())  ]

        /// The classes as whose objects dictionaries are read, by their paths.
        static let recordClasses: [String: String] = \(Self.dictionary(of: classes))

        static let types: [any KeyedDecodable.Type] = [
      \(types.joined())  ]
      }

      """
  }

  private static func dictionary(of pairs: [String]) -> String {
    pairs.isEmpty ? "[:]" : "[\n" + pairs.map { "    \($0),\n" }.joined() + "  ]"
  }

  // MARK: The test

  private var test: String {
    let rows = source.rowCounts.map { "\(SwiftSource.literal($0.table)): \($0.rows)" }
    let archives = source.archives.map { "    \(SwiftSource.literal($0)),\n" }
    return """
      @testable import \(source.name)

      @Suite("The migrator")
      struct MigratorTests {
        /// The archives that the store was made of.
        static let archives = [
      \(archives.joined())  ]

        /// The numbers of rows in the store.
        static let rows: [String: Int] = \(Self.dictionary(of: rows))

      \(Self.testBody)
      """
  }
}

extension CodeFile {
  fileprivate func moved(to folder: String) -> CodeFile {
    CodeFile(name: "\(folder)/\(name)", text: text, isForHumans: isForHumans)
  }
}
