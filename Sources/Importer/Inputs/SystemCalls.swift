import ArchiveReader
import Foundation

// The system's calls with paths, in this module: a text as the argument chooses these, which hand over
// the bytes that it stands for, rather than those of its UTF-8. See `FileName`.

func open(_ path: String, _ flags: CInt) -> CInt { open(path, flags, 0) }

func open(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt {
  FileName.withPath(path) { Foundation.open($0, flags, mode) }
}

@discardableResult
func unlink(_ path: String) -> CInt { FileName.withPath(path) { Foundation.unlink($0) } }

@discardableResult
func rename(_ path: String, _ other: String) -> CInt {
  FileName.withPath(path) { path in
    FileName.withPath(other) { other in Foundation.rename(path, other) }
  }
}

@discardableResult
func link(_ path: String, _ other: String) -> CInt {
  FileName.withPath(path) { path in
    FileName.withPath(other) { other in Foundation.link(path, other) }
  }
}

/// What the system knows of the file at a path; nil if it says that there is none.
func fileStatus(_ path: String, followsLinks: Bool = true) -> stat? {
  try? FileSystem.status(of: path, followsLinks: followsLinks)
}

/// The path without symbolic links; nil if there is no file.
func resolved(_ path: String) -> String? {
  guard let real = FileName.withPath(path, { realpath($0, nil) }) else { return nil }
  defer { free(real) }
  return FileName.text(cString: real)
}
