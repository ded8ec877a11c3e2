/// Names of archived classes and keys as texts.
///
/// To Swift, texts that look the same are equal: "é" as one character, and as "e" with an accent.
/// To an archive they are two names. So whatever reads a name from an archive, and whatever looks
/// one up there, takes it as a text that is equal to another only if the bytes are: one whose
/// characters could be written otherwise stands byte by byte in a private range, as names of files
/// do (`FileName`). What shows texts to people shows the name as it is.
package enum ArchivedName {
  /// The text for a name, as an archive or a program has it.
  package static func text(_ name: String) -> String {
    name.utf8.allSatisfy { $0 < 0x80 } ? name : FileName.text(name.utf8)
  }

  /// The name that a text stands for.
  package static func plain(_ text: String) -> String {
    FileName.isEscaped(text) ? String(decoding: FileName.bytes(text), as: UTF8.self) : text
  }
}
