import ArchiveWriter
import Foundation

/// Writes the seeds of the fuzz targets to the folder in the first argument, or to `Fuzz/seeds`.
///
/// They are small files with something of every kind, each in a folder named after its targets.
@main
struct MakeFuzzSeeds {
  static func main() throws {
    let folder = URL(
      fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "Fuzz/seeds", isDirectory: true)
    let files =
      PropertyListSeeds.binary.map { ("binary/\($0.name)", $0.bytes) }
      + (try PropertyListSeeds.xml().map { ("xml/\($0.name)", $0.bytes) })
      + (try ArchiveSeeds.all().map { ("archive/\($0.name)", $0.bytes) })
      + (try ArchiveSeeds.nibs().map { ("nib/\($0.name)", $0.bytes) })
      + TypedstreamSeeds.all.map { ("typedstream/\($0.name)", $0.bytes) }
      + StoreSeeds.xml.map { ("xmlstore/\($0.name)", $0.bytes) }
      + (try StoreSeeds.binary().map { ("binarystore/\($0.name)", $0.bytes) })
      + (try StoreSeeds.sqlite().map { ("sqlitestore/\($0.name)", $0.bytes) })
    for (name, bytes) in files {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: file)
    }
    print("\(files.count) files, \(files.reduce(0) { $0 + $1.1.count }) bytes")
  }
}

/// A file that fuzzing starts from.
struct Seed {
  var name: String
  var bytes: Data

  init(_ name: String, _ bytes: Data) {
    self.name = name
    self.bytes = bytes
  }
}
