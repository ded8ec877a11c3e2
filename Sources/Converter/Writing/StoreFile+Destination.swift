import Support

extension StoreFile {
  /// Refuses a place where no store can be written, before there is anything to write.
  ///
  /// - Parameters:
  ///   - destination: The path that the store is to get.
  ///   - existing: What happens to what is there; nil if the store is not to be kept.
  /// - Throws: `StoreError`.
  static func check(
    _ destination: String, _ existing: ConversionOptions.ExistingStore?
  ) throws(StoreError) {
    if let reason = OutputFile.obstacle(to: destination) {
      throw StoreError(.file, path: destination, reason: reason)
    }
    guard let existing, let place = try? OutputDestination(destination),
      existing != .append || FileIdentity(path: destination) == nil
    else { return }
    try StoreJournals.check(place, destination, replacing: existing == .replace)
  }
}
