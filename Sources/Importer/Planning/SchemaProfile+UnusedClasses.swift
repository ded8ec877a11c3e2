import ArchiveReader
import Support

extension SchemaProfile {
  /// The names that no class of the archives has, archived or in Swift.
  package func unusedClasses(among names: [Marked<String>]) -> [MappingError.Problem] {
    guard !names.isEmpty else { return [] }
    let archived = classes.map { ArchivedName.plain($0.name) }
    let known = (archived + classes.map { SwiftName.readable($0.name) }).uniqued()
    let plain = Set(known)
    return names.filter { !plain.contains(ArchivedName.plain($0.value)) }.map { name in
      MappingError.Problem(
        .unusedClass, at: name.mark, name: name.value,
        nearest: NearestName.find(name.value, in: known))
    }
  }
}
