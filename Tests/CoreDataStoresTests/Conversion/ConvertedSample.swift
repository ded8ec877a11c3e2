import Converter
import CoreDataStores
import DataModel
import Foundation
import TestSupport

/// The sample store with its model beside it, and what becomes of it.
struct ConvertedSample {
  let maker: StoreMaker
  /// The path of the model.
  let model: String

  init() throws {
    maker = try .sample()
    model = maker.folder.file(named: "Model.xcdatamodeld")
    try XMLModelWriter(StoreMaker.model).write(to: model)
  }

  /// Converts the sample, or other inputs, and compares the store with them.
  func convert(
    _ inputs: [String]? = nil, to name: String = "out.sqlite",
    _ change: (inout ConversionOptions) -> Void = { _ in }
  ) throws -> (store: StoreQuery, report: ConversionReport, path: String) {
    var options = ConversionOptions()
    options.modelPath = model
    options.verifies = true
    options.existingStore = .replace
    change(&options)
    let path = maker.folder.file(named: name)
    var conversion = Conversion(
      inputs: inputs ?? [maker.path], destination: path, options: options)
    let report = try conversion.run()
    return (try StoreQuery(path), report, path)
  }

  /// Where a store differs from the sample: entities and properties.
  func differences(
    in store: String, _ extensions: ImportExtensions = ImportExtensions()
  ) throws -> [String] {
    var options = ConversionOptions()
    (options.modelPath, options.extensions) = (model, extensions)
    var verifier = StoreVerifier(store: store, inputs: [maker.path], options: options)
    let report = try verifier.run()
    return report.verification?.differences.map { "\($0.entity).\($0.property)" } ?? ["none"]
  }
}
