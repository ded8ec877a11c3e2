import ArchiveReader
import Support

extension ConversionOptions {
  /// What happens to an archive that cannot be read, where nothing is set.
  func policy(for inputs: InputFinder) -> ErrorPolicy {
    errorPolicy ?? (inputs.hasDirectory ? .skip : .stop)
  }
}

extension ConversionReport {
  /// Lists the inputs that cannot be read, and counts those that are passed over.
  mutating func note(
    _ inputs: InputFinder, _ policy: ConversionOptions.ErrorPolicy
  ) throws(ConversionError) {
    for (path, reason) in inputs.unreadable {
      guard policy == .skip else { throw .unreadable(path: path, reason: reason) }
      archives.append(
        Archive(path: path, outcome: .rejected, error: "cannot be read: \(reason)"))
    }
    skipped = inputs.skipped
    excludedFiles = inputs.excludedFiles
  }

  /// Counts a file of a directory that proved to hold no archive.
  mutating func skip(
    _ path: String, _ policy: ConversionOptions.ErrorPolicy
  ) throws(ConversionError) {
    do throws(SystemError) {
      skipped.add(try SkippedFile(path: path))
    } catch {
      guard policy == .skip else { throw .unreadable(path: path, reason: error.words) }
      archives.append(
        Archive(path: path, outcome: .rejected, error: "cannot be read: \(error.words)"))
    }
  }
}
