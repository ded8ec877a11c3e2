import Inference

extension SchemaProfile {
  /// The classes that the option `--see-through` names and that the archives do not have.
  func unusedSeeThrough(_ names: [String]) -> [ConversionReport.UnusedName] {
    unusedClasses(among: names.map { Marked($0) }).map {
      ConversionReport.UnusedName($0, path: ConversionReport.UnusedName.seeThroughOption)
    }
  }
}
