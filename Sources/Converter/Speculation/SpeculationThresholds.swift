import Importer

extension ConversionOptions {
  /// When rows are written before the profile is complete.
  package struct SpeculationThresholds: Sendable {
    /// The least size of the archive, in bytes: a small one is read in no time.
    package var bytes = 16 << 20
    package var sample = ProfileSample.Size()
    /// The least number of files, if they are small.
    package var files = 256
    /// The number of the first files that predict the profile; as many others do, here and there.
    package var sampledFiles = 32
    /// The greatest size of files, in bytes, if nothing is to be kept on the way: that takes time,
    /// too.
    package var unkeptBytes = 256 << 20
  }
}
