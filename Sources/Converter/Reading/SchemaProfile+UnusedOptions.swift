import Importer

extension SchemaProfile {
  /// Names in options that the archives do not have.
  ///
  /// - Parameters:
  ///   - seeThrough: The classes of the option `--see-through`.
  ///   - stripPrefix: The prefix of the option `--strip-prefix`.
  /// - Returns: The classes that are not there, and the prefix if no class has it.
  func unusedOptions(
    seeThrough: [String], stripPrefix: String?
  ) -> [ConversionReport.UnusedName] {
    let rules = NameRules(stripPrefix: stripPrefix)
    let prefix =
      classes.contains { rules.entity($0.name) != NameRules().entity($0.name) }
      ? nil : stripPrefix
    return unusedClasses(among: seeThrough.map { Marked($0) }).map {
      ConversionReport.UnusedName($0, path: ConversionReport.UnusedName.seeThroughOption)
    }
      + [prefix].compactMap(\.self).map {
        ConversionReport.UnusedName(
          MappingError.Problem(.unusedPrefix, name: $0),
          path: ConversionReport.UnusedName.stripPrefixOption)
      }
  }
}
