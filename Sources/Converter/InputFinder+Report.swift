import ArchiveReader
import Support

extension ConversionOptions {
  /// The treatment of archives that cannot be read, with a default that depends on the inputs.
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

  /// Puts the archives in the order in which they were found; those inside of others stand after
  /// them, with their places.
  mutating func sortArchives(
    by inputs: [InputFinder.Input], nested: [String: [InputFinder.Input]]
  ) {
    let found = nested.isEmpty ? inputs : inputs.flatMap { [$0] + (nested[$0.path] ?? []) }
    let places = places(in: found)
    if !nested.isEmpty {
      for (index, place) in places.enumerated() where place < found.count {
        archives[index].place = archives[index].place ?? found[place].nesting?.place
      }
    }
    guard zip(places, places.dropFirst()).contains(where: { $0 > $1 }) else { return }
    let sorted = archives.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    archives = sorted.map { archives[$0] }
  }

  /// For each archive, its place among inputs; after all of them if it is none.
  private func places(in found: [InputFinder.Input]) -> [Int] {
    var places: [Int] = []
    places.reserveCapacity(archives.count)
    var next = 0
    for archive in archives {
      while next < found.count, found[next].path != archive.path { next += 1 }
      guard next < found.count else { break }
      places.append(next)
    }
    // Mostly they are in order.
    guard places.count < archives.count else { return places }
    let order = Dictionary(
      zip(found.map(\.path), found.indices), uniquingKeysWith: { first, _ in first })
    return archives.map { order[$0.path] ?? .max }
  }
}
