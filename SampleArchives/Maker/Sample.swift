import ArchiveWriter
import Foundation

/// One sample archive, in its two forms.
struct Sample {
  let name: String
  let binary: Data
  let xml: Data?

  /// Takes an archive of our own making.
  init(name: String, _ archive: KeyedArchiveBuilder) throws {
    self.name = name
    binary = archive.binary()
    xml = try archive.xml()
  }

  /// Lets Foundation's archiver encode objects as an array at `root`.
  ///
  /// - Parameters:
  ///   - name: The sample's name.
  ///   - objects: The elements of the array.
  ///   - renaming: The archived names of classes that cannot have them here.
  ///   - writesXML: Whether there is an XML form too.
  /// - Throws: What reading the archive back or writing it again throws.
  init(
    name: String, objects: [NSObject], renaming: [String: String] = [:], writesXML: Bool = true
  ) throws {
    let archive = try FoundationArchive.propertyList(of: objects, renaming: renaming)
    self.name = name
    binary = BinaryPropertyListWriter().data(for: archive)
    xml = writesXML ? try XMLPropertyListWriter().data(for: archive) : nil
  }
}

extension UUID {
  /// A fixed identifier for a number: samples must not change from run to run.
  static func sample(_ number: UInt8) -> UUID {
    UUID(
      uuid: (
        0x3F, 0x25, 0x04, 0xE0, 0x4F, 0x89, 0x41, 0xD3, 0x9A, 0x0C, 0x03, 0x05, 0xE8, 0x2C, 0x33,
        number
      ))
  }
}
