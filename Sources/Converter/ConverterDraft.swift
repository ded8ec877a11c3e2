import ArchiveReader
import DataModel
import Foundation
import Importer
import Support

/// A Swift package with a converter of one's own, drafted from an archive: a hook for each class, and
/// a test that converts the archive.
public struct ConverterDraft {
  /// The classes without one, which the model has no entity for.
  public let otherClasses: [String]
  /// The name of the program.
  private let program: String
  private let folder: String
  private let archive: String
  private let model: String?
  private let project: ProjectDependency
  private let hooks: [HookDraft]
  private let hasRecords: Bool

  /// Reads an archive and drafts the hooks.
  ///
  /// - Parameters:
  ///   - folder: The path of the package, where nothing or an empty folder is.
  ///   - archive: The path of the archive.
  ///   - model: The path of a Core Data model whose entities the objects become; nil for those that
  ///     follow from the archive.
  ///   - project: What the package depends on.
  ///   - limits: The limits for hostile files.
  /// - Throws: `ConversionError` if there is nothing to draft from, or something is there already.
  public init(
    folder: String, archive: String, model: String?, project: ProjectDependency,
    limits: ReadingLimits
  ) throws(ConversionError) {
    self.folder = withoutLastSlashes(folder)
    (self.archive, self.model, self.project) = (archive, model, project)
    program = Self.programName(self.folder)
    try Self.check(self.folder)
    guard FileIdentity(path: archive)?.isRegularFile != false else {
      throw .unwritable(
        path: archive, reason: "is not a file: a converter is drafted from one archive")
    }
    var options = ConversionOptions()
    options.limits = limits
    var given: Model?
    if let model {
      guard ModelFile.endings.contains(where: withoutLastSlashes(model).hasSuffix) else {
        throw .unwritable(
          path: model,
          reason: "is not a model: it must end in \(Words.list(ModelFile.endings))")
      }
      options.modelPaths = [model]
      given = try ImportConfiguration(options).model
    }
    let draft = try InferredDraft(inputs: [archive], options: options)
    guard draft.declared == nil else {
      throw .unwritable(
        path: archive, reason: "is a Core Data store: a converter is drafted from an archive")
    }
    let target = given.map { model in
      HookDraft.Target(
        model, entity: { model.entityName(ofClass: $0, NameRules()) },
        fits: { ValueCoercion.canCoerce(kindsFrom: $0, to: $1) })
    }
    hooks = HookDraft.hooks(
      for: draft.profile, draft.model, model: target,
      reserved: SwiftSource.words(Self.skeleton))
    let hooked = Set(hooks.map(\.className))
    otherClasses = draft.model.entities.flatMap(\.archivedClasses).filter { !hooked.contains($0) }
      .map(ArchivedName.plain)
    hasRecords = !draft.records.isEmpty
  }

  /// Refuses a folder that cannot be made, or has something in it.
  private static func check(_ folder: String) throws(ConversionError) {
    if fileStatus(folder, followsLinks: false) != nil {
      let isEmpty = (try? DirectoryListing(folder)).map { $0.entries.isEmpty }
      guard isEmpty == true else {
        throw .unwritable(
          path: folder, reason: "already exists\(isEmpty == nil ? "" : ", and is not empty")")
      }
    }
    if let reason = OutputFile.obstacle(toFolder: folder) {
      throw .unwritable(path: folder, reason: "cannot be written: \(reason)")
    }
  }

  /// Writes the package, whole or not at all.
  ///
  /// - Throws: `ConversionError` if it cannot be written.
  public func write() throws(ConversionError) {
    do throws(SystemError) {
      let prepared = PreparedFolder(try OutputDestination(folder))
      for (name, text) in files {
        let path = "\(prepared.path)/\(name)"
        try FileSystem.makeFolders((path as NSString).deletingLastPathComponent)
        try PreparedFile(path) { (descriptor) throws(SystemError) in
          try OutputFile.write(text.utf8, to: descriptor)
        }.publish()
      }
      try FileSystem.makeFolders("\(prepared.path)/\(fixtures)")
      try Self.copy(archive, to: "\(prepared.path)/\(fixtures)/\(archiveName)")
      if let model { try Self.copy(model, to: "\(prepared.path)/\(Self.modelName(model))") }
      try prepared.publish(replacing: true)
    } catch {
      throw .unwritable(path: folder, reason: "cannot be written: \(error.words)")
    }
  }

  private static func copy(_ path: String, to copy: String) throws(SystemError) {
    do {
      try FileManager.default.copyItem(
        at: URL(fileURLWithPath: path).resolvingSymlinksInPath(), to: URL(fileURLWithPath: copy))
    } catch {
      let code = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      throw SystemError(Int32(truncatingIfNeeded: code?.code ?? Int(EIO)))
    }
  }

  // MARK: Names

  /// The name of the program: that of the folder, as names of programs are written.
  private static func programName(_ folder: String) -> String {
    let folder = URL(fileURLWithPath: folder).standardizedFileURL.lastPathComponent
    var words: [String] = [""]
    var wasLower = false
    for scalar in folder.unicodeScalars.prefix(60) {
      switch scalar {
      case "A"..."Z":
        if wasLower { words.append("") }
        fallthrough
      case "a"..."z", "0"..."9":
        words[words.count - 1].unicodeScalars.append(scalar)
        wasLower = !("A"..."Z").contains(scalar)
      default:
        words.append("")
        wasLower = false
      }
    }
    var parts = words.filter { !$0.isEmpty }.map { $0.lowercased() }
    // So it is the name of no module of this project, nor of Swift.
    if parts.last != "converter" { parts.append("converter") }
    let isTaken = [["converter"], ["mental", "case", "converter"], ["killed", "converter"]]
      .contains(parts)
    if isTaken || parts[0].first?.isNumber == true { parts.insert("my", at: 0) }
    return parts.joined(separator: "-")
  }

  private let fixtures = "Tests/ConversionTests/Fixtures"

  private var archiveName: String {
    let name = (archive as NSString).lastPathComponent
    let isPlain =
      name.utf8.count <= 100 && name.utf8.first != UInt8(ascii: ".")
      && name.unicodeScalars.allSatisfy {
        switch $0 {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
      }
    return isPlain ? name : "fixture.archive"
  }

  /// The name of the model in the package.
  private static func modelName(_ model: String) -> String {
    "Model" + (ModelFile.endings.first(where: withoutLastSlashes(model).hasSuffix) ?? "")
  }
}

// MARK: - Files

extension ConverterDraft {
  /// The words of this package's own source code, which no hook has as its name.
  private static let skeleton =
    main + extensions([""])
    + test("", in: "", model: "", hasRecords: true, readsEverything: true, [("", 0)])

  private var files: [(name: String, text: String)] {
    let sources = "Sources/\(program)"
    return [
      ("Package.swift", manifest), ("README.md", readme),
      ("\(sources)/main.swift", Self.main),
      ("\(sources)/Extensions.swift", Self.extensions(hooks.map(\.typeName))),
    ] + hooks.map { ("\(sources)/\($0.typeName).swift", $0.source) } + [
      (
        "Tests/ConversionTests/ConversionTests.swift",
        Self.test(
          archiveName, in: program.replacing("-", with: "_"), model: model.map(Self.modelName),
          hasRecords: hasRecords,
          readsEverything: model == nil && hooks.allSatisfy(\.readsEverything), expectedRows)
      )
    ]
  }

  /// The number of rows of each entity, without those that are made without a hook.
  private var expectedRows: [(entity: String, rows: Int)] {
    hooks.map(\.entity).uniqued().map { entity in
      (entity, hooks.filter { $0.entity == entity }.map(\.objects).reduce(0, +))
    }
  }

  private var manifest: String {
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(program)",
        dependencies: [\(project.declaration)],
        targets: [
          .executableTarget(
            name: "\(program)",
            dependencies: [
              \(project.product("ConvertCommand")),
              \(project.product("Importer")),
            ]),
          .testTarget(
            name: "ConversionTests",
            dependencies: [
              "\(program)",
              \(project.product("Converter")),
            ], exclude: ["Fixtures"]),
        ]
      )

      """
  }

  private var readme: String {
    let options =
      (model.map { " --model \(Self.modelName($0))" } ?? "")
      + (hasRecords ? " --dictionaries auto" : "")
    return """
      # \(program)

      `swift test` converts the archive in \(fixtures) and checks the rows.
      `swift run \(program) ARCHIVE -o STORE.sqlite\(options)` converts others.
      Each file in Sources/\(program) is a hook for an archived class; it reads every key that was found.
      Hooks are described in Documentation/hooks.md of the project that Package.swift names.

      """
  }

  private static let main = """
    import ConvertCommand

    ConvertCommand.main(extensions: extensions)

    """

  private static func extensions(_ hooks: [String]) -> String {
    """
    import Importer

    /// The hooks of this converter.
    let extensions = ImportExtensions(hooks: [
    \(hooks.map { "  \($0).self,\n" }.joined())\
    ])

    """
  }

  private static func test(
    _ archive: String, in module: String, model: String?, hasRecords: Bool,
    readsEverything: Bool, _ rows: [(entity: String, rows: Int)]
  ) -> String {
    return """
      import Converter
      import Foundation
      import Testing

      @testable import \(module)

      @Suite("The converter")
      struct ConversionTests {
        @Test("makes the rows of the archive that its hooks were drafted from")
        func converts() throws {
          let manager = FileManager.default
          let folder = manager.temporaryDirectory.appending(path: UUID().uuidString)
          try manager.createDirectory(at: folder, withIntermediateDirectories: true)
          defer { try? manager.removeItem(at: folder) }
          let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          var options = ConversionOptions()
          options.extensions = extensions
          options.verifies = true
      \(model.map { "    options.modelPaths = [here.appending(path: \"../../\($0)\").path]\n" } ?? "")\
      \(hasRecords ? "    options.dictionaries = .automatic\n" : "")\
          var conversion = Conversion(
            inputs: [here.appending(path: "Fixtures/\(archive)").path],
            destination: folder.appending(path: "store.sqlite").path, options: options)
          let report = try conversion.run()
          #expect(report.verification?.isPassed == true)
      \(readsEverything ? "    #expect(report.unreadKeys.map { \"\\($0.className).\\($0.key)\" } == [])\n" : "")\
          let rows = report.entities.map { "\\($0.name): \\($0.rows)" }
      \(rows.map { "    #expect(rows.contains(\(SwiftSource.literal("\($0.entity): \($0.rows)"))))\n" }.joined())\
        }
      }

      """
  }
}
