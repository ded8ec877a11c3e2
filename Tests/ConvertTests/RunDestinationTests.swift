import Foundation
import TestSupport
import Testing

@Suite("convert run, on its destination")
struct RunDestinationTests {
  @Test("leaves a file that is there untouched, unless told otherwise", arguments: [true, false])
  func refusesToReplace(isNamed: Bool) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.write("a store of old", to: "out.db")
    let option = isNamed ? ["--if-exists", "fail"] : []
    let result = try Program.run(
      ["Locations.archive", "-o", "out.db"] + option, in: folder.path)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errors
        == "out.db: already exists (use --if-exists replace to overwrite it, append to add to "
        + "it)\n")
    #expect(try folder.contents(of: "out.db") == Data("a store of old".utf8))
    #expect(try folder.names() == ["Locations.archive", "out.db"])
  }

  @Test("replaces a file, with the journals of the store that it was")
  func replaces() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    for name in ["out.db", "out.db-journal", "out.db-wal", "out.db-shm"] {
      try folder.write("a store of old", to: name)
    }
    let result = try folder.convert(
      "Locations.archive", "-o", "out.db", "--if-exists", "replace")
    #expect(result.status == 0)
    #expect(try folder.names() == ["Locations.archive", "out.db"])
    try folder.store().expect("SELECT count(*) FROM Event", "6")
    try folder.store().expectSound()
  }

  @Test("keeps the old file if the archive proves damaged")
  func keepsOldFile() throws {
    let folder = try TemporaryFolder()
    try folder.addDamagedSample(as: "damaged")
    try folder.write("a store of old", to: "out.db")
    let result = try folder.convert("damaged", "-o", "out.db", "--if-exists", "replace")
    #expect(result.status == 2)
    #expect(try folder.contents(of: "out.db") == Data("a store of old".utf8))
    #expect(try folder.names() == ["damaged", "out.db"])
  }

  @Test(
    "refuses to replace an input, by whatever name",
    arguments: ["Locations.archive", "./Locations.archive", "symbolic", "hard", "in/twin"])
  func refusesInputs(output: String) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.write("", to: "in/other")
    let manager = FileManager.default
    let path = folder.file(named: "Locations.archive")
    try manager.createSymbolicLink(
      atPath: folder.file(named: "symbolic"), withDestinationPath: "Locations.archive")
    for name in ["hard", "in/twin"] {
      try manager.linkItem(atPath: path, toPath: folder.file(named: name))
    }
    let names = try folder.names()
    let bytes = try folder.contents(of: "Locations.archive")
    for input in ["Locations.archive", "in"] {
      let result = try folder.convert(input, "-o", output, "--if-exists", "replace")
      #expect(result.status == 2)
      #expect(result.errors == "\(output): is an input and must not be overwritten\n")
      #expect(try folder.contents(of: "Locations.archive") == bytes)
    }
    #expect(try folder.names() == names)
  }

  @Test(
    "ends with 2 where no store can be",
    arguments: [
      ("absent/out.db", "cannot be written: there is no folder 'absent'"),
      ("Locations.archive/out.db", "cannot be written: Not a directory"),
      ("folder", "cannot be written: it is not a regular file"),
      ("folder/", "cannot be written: it is not a regular file"),
      ("f", "cannot be written: it is not a regular file"),
      (".", "cannot be written: it is not a regular file"),
      ("/", "cannot be written: it is not a regular file"),
      ("/dev/null", "cannot be written: it is not a regular file"),
    ])
  func refusesPlaces(output: String, reason: String) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.write("", to: "folder/inside")
    try folder.write("", to: "f/inside")
    let names = try folder.names()
    let result = try folder.convert(
      "Locations.archive", "-o", output, "--if-exists", "replace")
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors == "\(output): \(reason)\n")
    #expect(try folder.names() == names)
  }

  @Test(
    "writes to any name",
    arguments: [
      "o", "ö", "-out.db", "a b.db", "out.archive", "deep/o", "deep/\u{301}combined",
      "line\nbreak", "%41?#'.db",
    ])
  func takesAnyName(output: String) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.write("", to: "deep/other")
    let result = try folder.convert("Locations.archive", "--output=\(output)")
    #expect(result.status == 0)
    #expect(result.errors == "")
    try folder.store(output).expect("SELECT count(*) FROM Event", "6")
    let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    #expect(left == ["Locations.archive", "deep", "deep/other", output].sorted())
  }

  @Test("removes what killed runs left behind, and nothing that is not theirs")
  func removesLeftovers() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    let own = TemporaryFolder.unfinishedName()
    for suffix in ["", "-journal", "-wal"] { try folder.write("half a store", to: own + suffix) }
    let stray = TemporaryFolder.unfinishedName(of: "out.db", "1111111111111111") + "-wal"
    try folder.write("stray", to: stray)
    // Of another store, of an earlier version, a folder, links, and a file with two names.
    try folder.write("other", to: TemporaryFolder.unfinishedName(of: "other.db"))
    try folder.write("old", to: ".out.db.convert-partial")
    try folder.write(
      "", to: TemporaryFolder.unfinishedName(of: "out.db", "2222222222222222") + "/x")
    try folder.write("precious", to: "victim")
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: folder.file(named: TemporaryFolder.unfinishedName(of: "out.db", "3333333333333333")),
      withDestinationPath: "victim")
    try manager.linkItem(
      atPath: folder.file(named: "victim"),
      toPath: folder.file(named: TemporaryFolder.unfinishedName(of: "out.db", "4444444444444444")))
    let names = Set(try folder.names())
    let result = try folder.convert("Locations.archive", "-o", "out.db")
    #expect(result.status == 0)
    let gone = names.subtracting(try folder.names())
    #expect(gone.sorted() == [own, own + "-journal", own + "-wal", stray].sorted())
    #expect(try folder.contents(of: "victim") == Data("precious".utf8))
    try folder.store().expectSound()
  }

  @Test("does not disturb another run that writes the same store", arguments: [false, true])
  func respectsOtherRuns(resumes: Bool) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    let name = TemporaryFolder.unfinishedName()
    try folder.write("half a store", to: name)
    let descriptor = open(folder.file(named: name), O_RDWR)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    let result = try Program.run(
      ["Locations.archive", "-o", "out.db"] + (resumes ? ["--resume"] : []), in: folder.path)
    #expect(result.status == 2)
    #expect(result.errors == "out.db: is being written by another run\n")
    #expect(try folder.contents(of: name) == Data("half a store".utf8))
    #expect(try folder.names() == [name, "Locations.archive"].sorted())
    let separate = try folder.convert("Locations.archive", "--store-per-archive", ".")
    #expect(separate.status == 0)
  }
}
