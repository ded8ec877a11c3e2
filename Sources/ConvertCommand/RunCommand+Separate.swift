import Converter

extension ConvertCommand.Run {
  /// Converts each archive into a store of its own.
  func runSeparately(_ inputs: [String], _ options: ConversionOptions) throws {
    var options = options
    let display = output.apply(to: &options)
    defer { display?.end() }
    var conversions = SeparateConversions(
      inputs: inputs, folder: storePerArchive ?? "", options: options)
    let interruption = Interruption(removingAllOf: conversions.unfinished)
    let result: ConversionReport
    do throws(ConversionError) {
      result = try conversions.run()
      interruption.end()
    } catch {
      interruption.end()
      Console.complain(of: error)
      throw Outcome.impossible
    }
    try output.tell(result, isSeparate: true)
  }
}
