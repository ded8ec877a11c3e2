import ArchiveReader
import Support

/// The files that a run reads: no output takes the place of one.
///
/// What a directory holds and is no source in the end, such as the store of an earlier run, is none
/// of them.
struct ReadFiles {
  private let inputs: [FileIdentity: InputFinder.Input]
  private let definitions: Set<FileIdentity>
  private let opener: SourceOpener

  /// Takes note of the inputs, the mapping and the models.
  init(_ inputs: [InputFinder.Input], _ options: ConversionOptions) {
    self.inputs = Dictionary(
      inputs.compactMap { input in FileIdentity(path: input.path).map { ($0, input) } },
      uniquingKeysWith: { $0.isNamed ? $0 : $1 })
    definitions = Set(options.definitionPaths.compactMap { FileIdentity(path: $0) })
    opener = options.sourceOpener
  }

  /// Whether a file is one of them.
  func contains(_ file: FileIdentity) -> Bool {
    if definitions.contains(file) { return true }
    guard let input = inputs[file] else { return false }
    guard !input.isNamed else { return true }
    do throws(ArchiveError) {
      _ = try ArchiveFile(path: input.path, opener)
      return true
    } catch {
      return error.code != .notAnArchive
    }
  }
}
