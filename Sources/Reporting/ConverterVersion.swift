/// The version of the converter, as reports and the command line give it.
public enum ConverterVersion {
  /// The version of this build.
  public static let current = "0.1.0"
}
