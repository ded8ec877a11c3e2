import Foundation
import Support
import TestSupport
import Testing

@Suite("Tar and zip files")
struct ContainerTests {
  /// The contents of members, by their names; errors in words.
  private func contents(_ bytes: Data, _ name: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: name)
    guard let container = Container.find(path) else { return ["no container"] }
    let members = container.entries.map { name, refusal -> String in
      if let refusal { return "\(name): \(refusal.words)" }
      do throws(SystemError) {
        let descriptor = try FileSystem.open("\(path)/\(name)")
        defer { close(descriptor) }
        let content = try FileSystem.read(descriptor, upTo: 1 << 20)
        return "\(name): \(String(decoding: content, as: UTF8.self))"
      } catch {
        return "\(name): \(error.words)"
      }
    }
    return members + [container.damage?.words].compactMap(\.self)
  }

  private static let long = String(repeating: "long/", count: 40) + "name"

  private static func file(
    _ name: String, _ text: String, _ change: (inout ContainerMaker.File) -> Void = { _ in }
  ) -> ContainerMaker.File {
    var file = ContainerMaker.File(name, Data(text.utf8))
    change(&file)
    return file
  }

  /// Files, a folder, a link, and a name that is there twice.
  private static let files = [
    file("b/two", "second"), file("b two", "spaced"), file("a", "earlier"), file("./a", "first"),
    file("/rooted", ""), file(long, String(repeating: "x", count: 1_000)),
    file("b/", "") { $0.kind = "5" },
  ]
  private static let found = [
    "a: first", "b/two: second", "b two: spaced",
    "\(long): \(String(repeating: "x", count: 1_000))", "rooted: ",
  ]

  @Test("are read in the order of a folder", arguments: [false, true])
  func members(isOther: Bool) throws {
    let zipped = Self.files.map { file in
      var file = file
      file.isDeflated = !isOther
      return file
    }
    #expect(try contents(ContainerMaker.tar(Self.files, isPax: isOther), "x.tar") == Self.found)
    #expect(try contents(ContainerMaker.zip(zipped, isLarge: isOther), "x.ZIP") == Self.found)
    let tar = ContainerMaker.tar(Self.files, isPax: isOther)
    let parts = ContainerMaker.gzip(tar.prefix(700)) + ContainerMaker.gzip(tar.dropFirst(700))
    #expect(try contents(ContainerMaker.gzip(tar), "x.tar.gz") == Self.found)
    #expect(try contents(parts + Data(count: 9), "x.tgz") == Self.found)
    #expect(try contents(ContainerMaker.gzip(Data("text".utf8)), "x.tgz") == Self.noTar)
    #expect(try contents(ContainerMaker.zip(zipped), "x.docx") == ["no container"])
    #expect(try contents(ContainerMaker.zip([]), "x.zip") == [])
    #expect(try contents(Data("text".utf8), "x.tar") == Self.noTar)
  }

  private static let noTar = ["the container is damaged at byte 0"]

  @Test(
    "refuse members, each with a reason",
    arguments: [
      ("zip", file("a/../../b", "x"), "its name leads out of the container"),
      ("tar", file("..", "x"), "its name leads out of the container"),
      ("tar", file("a//b", "x"), "its name leads out of the container"),
      ("tar", file("a", "x") { $0.kind = "S" }, "it is a sparse file of a tar file"),
      ("zip", file("a", "x") { $0.flags = 1 }, "it is encrypted"),
      ("zip", file("a", "x") { $0.method = 12 }, "it is compressed by another method than deflate"),
      ("zip", file("a", "x") { $0.size = 1 << 30 }, "it would become more than 64 times as large"),
      ("zip", file("a", "x") { $0.size = 2 }, "the container is damaged there"),
      ("zip", file("a", "xy") { $0.size = 1 }, "the container is damaged there"),
      ("zip", file("a", "x") { $0.method = 0 }, "the container is damaged at byte 0"),
    ])
  func refused(form: String, file: ContainerMaker.File, reason: String) throws {
    let bytes = form == "zip" ? ContainerMaker.zip([file]) : ContainerMaker.tar([file])
    #expect(
      try contents(bytes, "x.\(form)").map { $0.replacing("\(file.name): ", with: "") } == [reason])
  }

  @Test("give what is left of them where they are cut off")
  func cut() throws {
    let tar = ContainerMaker.tar([Self.file("a", "first"), Self.file("b", "second")])
    #expect(
      try contents(tar.prefix(1_300), "x.tar") == [
        "a: first", "the container is damaged at byte 1024",
      ])
    let packed = ContainerMaker.gzip(tar)
    #expect(
      try contents(packed.dropLast(), "x.tgz") == [
        "a: first", "b: second", "the container is damaged at byte \(packed.count - 1)",
      ])
    let zeros = ContainerMaker.gzip(
      ContainerMaker.tar([Self.file("a", "first"), .init("b", Data(count: 17 << 20))]))
    #expect(
      try contents(zeros, "x.tgz") == ["a: first", "it would become more than 64 times as large"])
    let zip = ContainerMaker.zip([Self.file("a", "first")])
    #expect(
      try contents(zip.dropLast(), "x.zip") == ["the container is damaged at byte \(zip.count - 1)"]
    )
  }

  @Test("have no byte whose change makes other content, or more than an error, of a member")
  func flipped() throws {
    let files = [Self.file("a", "first"), Self.file("b", "second") { $0.isDeflated = false }]
    for isLarge in [false, true] {
      let zip = ContainerMaker.zip(files, isLarge: isLarge)
      for place in zip.indices {
        for change: UInt8 in [0x01, 0x80, 0xFF] {
          var changed = zip
          changed[place] ^= change
          for line in try contents(changed, "x.zip") {
            let isSound = [": first", ": second"].contains { line.hasSuffix($0) }
            #expect(
              isSound || line.contains(" ") && line.contains("contain") || Self.isRefusal(line),
              "\(place): \(line)")
          }
        }
      }
    }
    let packed = ContainerMaker.gzip(ContainerMaker.tar(files))
    for place in packed.indices {
      var changed = packed
      changed[place] ^= 0x41
      let lines = try contents(changed, "x.tgz")
      let isTold = lines == ["no container"] || lines.last?.contains("the container is") == true
      #expect(isTold || lines == ["a: first", "b: second"], "\(place): \(lines)")
    }
    let tar = ContainerMaker.tar(files)
    for place in tar.indices where place < 512 || place >= tar.count - 2_048 {
      var changed = tar
      changed[place] ^= 0xFF
      _ = try contents(changed, "x.tar")
    }
  }

  @Test("are unpacked again after many others")
  func many() throws {
    let folder = try TemporaryFolder()
    let paths = try (0..<20).map { number in
      let tar = ContainerMaker.tar([Self.file("a", "\(number)")])
      return try folder.write(ContainerMaker.gzip(tar), to: "\(number).tgz")
    }
    for path in paths { #expect(Container.find(path)?.entries.count == 1) }
    for (number, path) in paths.enumerated() {
      let descriptor = try FileSystem.open(path + "/a")
      defer { close(descriptor) }
      #expect(try FileSystem.read(descriptor, upTo: 9) == Array("\(number)".utf8))
    }
  }

  private static func isRefusal(_ line: String) -> Bool {
    ["it is encrypted", "deflate", "64 times as large"].contains { line.hasSuffix($0) }
  }
}
