import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// A conversion by a model, a mapping, hooks and policies, in a folder of its own.
struct SteeredConversion {
  private let folder: TemporaryFolder
  private var inputs: [String] = []
  var options = ConversionOptions.pairs

  /// Prepares a conversion; the first archive is `a0.plist`, and so on.
  init(
    _ archives: [KeyedArchiveBuilder], model: String? = nil, mapping: String? = nil,
    _ extensions: ImportExtensions
  ) throws {
    try self.init(archives.map { $0.binary() }, model: model, mapping: mapping, extensions)
  }

  /// Prepares a conversion of files with some bytes.
  init(
    _ files: [Data], model: String? = nil, mapping: String? = nil, _ extensions: ImportExtensions
  ) throws {
    folder = try TemporaryFolder()
    for (number, file) in files.enumerated() {
      inputs.append(try folder.write(file, to: "a\(number).plist"))
    }
    options.modelPath = try model.map { try folder.write($0, to: "Model.xcdatamodel/contents") }
    options.mappingPath = try mapping.map { try folder.write($0, to: "mapping.yaml") }
    options.extensions = extensions
  }

  /// Runs it.
  ///
  /// - Parameter isRepeated: Whether it may be run again, in another layout.
  /// - Returns: The store and the report.
  /// - Throws: What stands in the way.
  func run(isRepeated: Bool = true) throws -> (store: StoreQuery, report: ConversionReport) {
    var conversion = Conversion(inputs: inputs, destination: destination, options: options)
    let report = try conversion.run()
    let store = try StoreQuery(destination)
    #expect(try store.flaws() == [])
    if isRepeated { try CoreDataVerification.expectPassedIfWhole(inputs, options) }
    return (store, report)
  }

  /// Runs it; returns the report alone, as where no store is kept.
  func report() throws -> ConversionReport {
    var conversion = Conversion(inputs: inputs, destination: destination, options: options)
    return try conversion.run()
  }

  /// Runs it and expects it to fail; returns the messages, with the paths of archives shortened.
  ///
  /// What is at the destination has to stay as it was, and nothing may lie beside it.
  func failure(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
    var options = options
    options.existingStore = .replace
    try folder.write("untouched", to: "out.sqlite")
    let names = try folder.names()
    var conversion = Conversion(inputs: inputs, destination: destination, options: options)
    var messages: [String] = []
    do throws(ConversionError) {
      _ = try conversion.run()
      Issue.record("the conversion did not fail", sourceLocation: sourceLocation)
    } catch {
      messages = error.messages.map { $0.replacing(folder.path + "/", with: "") }
    }
    let content = try Data(contentsOf: URL(fileURLWithPath: destination))
    #expect(content == Data("untouched".utf8), sourceLocation: sourceLocation)
    #expect(try folder.names() == names, sourceLocation: sourceLocation)
    return messages
  }

  private var destination: String { folder.file(named: "out.sqlite") }
}

extension ConversionReport {
  /// The unread keys, each with its class and count.
  var unread: [String] { unreadKeys.map { "\($0.className).\($0.key) \($0.count)" } }

  /// The keys that were left behind on purpose.
  var ignored: [String] { ignoredKeys.map { "\($0.className).\($0.key) \($0.count)" } }
}
