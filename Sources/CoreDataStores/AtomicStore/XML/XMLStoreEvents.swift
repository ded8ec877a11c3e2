import ArchiveReader
import GraphCore

/// Reads the XML of a store with errors in the words of archives.
enum XMLStoreEvents {
  /// Reads a document.
  ///
  /// - Parameters:
  ///   - document: The bytes.
  ///   - receive: Is called with each event and its line; returns whether to read further.
  /// - Throws: `ArchiveError`: what `receive` threw, with the line, or why the document cannot be
  ///   read.
  static func read(
    _ document: ByteStorage,
    _ receive: (XMLDocumentReader.Event, _ line: Int) throws(ArchiveError) -> Bool
  ) throws(ArchiveError) {
    var mistake: ArchiveError?
    do throws(XMLDocumentReader.Failure) {
      try XMLDocumentReader.read(document) { event, line in
        do throws(ArchiveError) {
          return try receive(event, line)
        } catch {
          mistake = error.placed(at: .line(line, column: 0))
          return false
        }
      }
    } catch {
      throw ArchiveError(error)
    }
    if let mistake { throw mistake }
  }
}

extension ArchiveError {
  /// Why the XML of a store cannot be read.
  fileprivate init(_ failure: XMLDocumentReader.Failure) {
    switch failure {
    case .malformed(let words, let line):
      self.init(.malformedXML, at: .line(line, column: 0), name: words)
    case .declaresEntities(let line): self.init(.entityDeclared, at: .line(line, column: 0))
    case .outOfMemory: self.init(.outOfMemory)
    }
  }
}
