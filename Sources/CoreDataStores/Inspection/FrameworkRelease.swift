extension StoreInspection {
  /// The systems that versions of the framework came with, as far as Apple has published them.
  ///
  /// The public header `CoreDataDefines.h` gives the numbers up to those of OS X 10.11.3 and iOS
  /// 9.3. Of later versions only the number is known for sure.
  enum FrameworkRelease {
    /// The system whose Core Data has a version.
    ///
    /// - Parameter version: The number in a store (`NSPersistenceFrameworkVersion`), which has no
    ///   fraction: 358 for all of Mac OS X 10.7.
    /// - Returns: The first system with the version; nil if that was never published.
    static func name(ofVersion version: Int64) -> String? { names[version] }

    private static let names: [Int64: String] = [
      46: "Mac OS X 10.4", 77: "Mac OS X 10.4.3", 185: "Mac OS X 10.5", 186: "Mac OS X 10.5.3",
      241: "iPhone OS 3.0", 246: "Mac OS X 10.6", 248: "iPhone OS 3.1", 250: "Mac OS X 10.6.2",
      251: "Mac OS X 10.6.3", 310: "iPhone OS 3.2", 320: "iOS 4", 358: "Mac OS X 10.7",
      386: "iOS 5", 407: "OS X 10.8", 419: "iOS 6", 479: "iOS 7", 481: "OS X 10.9", 519: "iOS 8",
      526: "OS X 10.10", 640: "OS X 10.11 and iOS 9", 641: "OS X 10.11.3 and iOS 9.2",
    ]
  }
}
