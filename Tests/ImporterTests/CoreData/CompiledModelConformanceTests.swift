import Converter
import CoreDataStores
import Foundation
import TestSupport
import Testing

@Suite(
  "Compiled models like those of Apple's compiler",
  .enabled(if: CoreDataStorePair.folder != nil, "the folder of real stores is absent"))
struct CompiledModelConformanceTests {
  /// The model that a store carries which is made of the model in a file, as lines.
  private func written(_ path: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let store = folder.file(named: "made.sqlite")
    // Only the model: what is compiled beside it would be kept as it is.
    let notes = try EmptyStore(ModelSource(ModelSource(contentsOf: path).model), layout: .coreData)
      .write(to: store)
    #expect(notes.hasModel)
    let bytes = try #require(try ModelSource(contentsOf: store).compiledModel)
    return try CompiledModelText(bytes).lines
  }

  /// The pair whose source got another version identifier later, and whose classes the app named.
  private static let otherIdentifier = "core-data-Moody-moody"
  /// The pair whose compiler wrote the default value "NO" as a number.
  private static let numberAsBoolean = "CoreDataMigration-Example-CoreDataMigration-Example-WAL"

  @Test(
    "have the same keys and values, object by object",
    arguments: CoreDataStorePair.all.filter { $0.compiledModel != nil })
  func equality(_ pair: CoreDataStorePair) throws {
    let compiled = try #require(pair.compiledModel)
    let real = try CompiledModelText(Data(contentsOf: URL(fileURLWithPath: compiled))).lines
    for path in [pair.xmlModel, compiled].compactMap({ $0 }) {
      let ours = try written(path)
      #expect(ours.count > 40)
      let isSource = path == pair.xmlModel
      #expect(
        comparable(ours, real, pair, isSource: isSource)
          == comparable(real, real, pair, isSource: isSource), "\(path)")
    }
  }

  /// The lines that programs of all versions write alike.
  ///
  /// - An empty list or dictionary counts as none: the one of Xcode writes fewer of them than the
  ///   one in the framework.
  /// - Until version 846 of the framework there were no fetch indexes.
  /// - A store that Core Data migrated has a model without classes.
  private func comparable(
    _ lines: [String], _ real: [String], _ pair: CoreDataStorePair, isSource: Bool
  ) -> [String] {
    let hasFetchIndexes = real.contains { $0.contains("].NSFetchIndexDescriptions") }
    let hasClasses = real.contains {
      $0.contains("].NSClassNameForEntity = ") && !$0.hasSuffix("nil")
    }
    let isOther = isSource && pair.name == Self.otherIdentifier
    let isEmpty = { (line: String) in
      (line.hasSuffix(": list") || line.hasSuffix(": pairs"))
        && !lines.contains { $0.hasPrefix("\(line.split(separator: ":")[0])[") }
    }
    return lines.compactMap { line in
      if isEmpty(line) || line.hasSuffix("].NSSubentities = nil") { return nil }
      if !hasFetchIndexes, line.contains("].NSFetchIndexDescriptions") { return nil }
      if line.contains("].NSClassNameForEntity = "), isSource, !hasClasses || isOther { return nil }
      if isOther, line.hasPrefix("model.NSVersionIdentifiers[] = ") { return nil }
      if pair.name == Self.numberAsBoolean, line.hasSuffix("[hide].NSDefaultValue = integer(0)") {
        return line.replacing("integer(0)", with: "bool(false)")
      }
      return line
    }
  }
}
