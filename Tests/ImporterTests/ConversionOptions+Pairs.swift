import Converter

extension ConversionOptions {
  /// Options of tests that tell of collections and relationships: no dictionary is a record, and no
  /// archive has a document.
  static var pairs: ConversionOptions {
    var options = ConversionOptions()
    options.dictionaries = .pairs
    return options
  }
}
