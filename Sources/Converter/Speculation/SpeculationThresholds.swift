import Inference

extension ConversionOptions {
  /// When rows are written before the profile is complete.
  package struct SpeculationThresholds: Sendable {
    /// How large the archive is at least, in bytes: a small one is read in no time.
    package var bytes = 16 << 20
    package var sample = ProfileSample.Size()
    /// How many files there are at least, if they are small.
    package var files = 256
    /// How many of the first files predict the profile; as many others do, here and there.
    package var sampledFiles = 32
    /// How many bytes they have at most if nothing is to be kept on the way: that takes time, too.
    package var unkeptBytes = 256 << 20
  }
}
