internal import CDeflate
import Foundation
import GraphCore
import Synchronization

/// The files in a tar or zip file, which are read as those of a folder: by paths that go on behind
/// the path of the container.
///
/// A member is copied into a file without a name whenever it is opened.
package final class Container: Sendable {
  /// The place of a member, and its form.
  struct Member: Sendable {
    /// The position of its bytes; in a zip file, of the header before them.
    var offset: Int
    /// The number of its bytes as they are there.
    var packedSize: Int
    /// The number of its bytes.
    var size: Int
    /// The form in a zip file; nil in a tar file.
    var packing: ZipPacking?
    /// The reason for which it cannot be read.
    var refusal: Refusal?
  }

  /// The reasons for which a member, or a container, cannot be read.
  package enum Refusal: Error, Sendable {
    case damaged(Int)
    case encrypted
    case method
    case sparse
    case tooLarge
    case unsafeName
    case tooMany
    case system(SystemError)

    package var words: String {
      switch self {
      case .damaged(let offset): "the container is damaged at byte \(offset)"
      case .encrypted: "it is encrypted"
      case .method: "it is compressed by another method than deflate"
      case .sparse: "it is a sparse file of a tar file"
      case .tooLarge: "it would become more than 64 times as large"
      case .unsafeName: "its name leads out of the container"
      case .tooMany: "the container has more than \(Container.maxCount) files"
      case .system(let error): error.words
      }
    }
  }

  private let path: String
  private let state: FileState
  private let members: [String: Member]
  /// The names of members in the order in which a folder would be searched, and of those that
  /// cannot be read the reasons.
  package let entries: [(name: String, refusal: Refusal?)]
  /// The damage that ends the list of members too early.
  package let damage: Refusal?

  /// The most members: their names are kept in memory.
  fileprivate static let maxCount = 1 << 24
  /// Small members may grow more than others.
  private static let leastLimit = 1 << 24
  private static let expansion = 64

  /// The containers that were looked into, by their paths.
  private static let known = Mutex<[String: Container]>([:])
  /// The unpacked files of those that were opened last.
  private static let unpacked = Mutex<[(path: String, file: OpenFile)]>([])
  private static let maxUnpacked = 16

  /// Looks into the container at a path, which is a regular file with a name that ends as those of
  /// containers do.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - isKnown: True if it has been looked into: then it must not have changed.
  /// - Returns: The container; nil if the file is none.
  package static func find(_ path: String, isKnown: Bool = false) -> Container? {
    if isKnown, let known = known.withLock({ $0[path] }) { return known }
    let name = fileName(of: path).lowercased()
    guard [".tar", ".zip", ".tar.gz", ".tgz"].contains(where: name.hasSuffix),
      let file = try? open(containerAt: path), let found = Container(file.content, path)
    else { return nil }
    known.withLock { $0[path] = found }
    return found
  }

  private init?(_ file: borrowing ContainerFile, _ path: String) {
    var list = MemberList(most: Self.maxCount)
    do throws(Refusal) {
      let isContainer =
        try file.isZip ? list.readZip(file) : list.readTar(file)
      guard isContainer || file.damage != nil else { return nil }
      damage = file.damage
    } catch {
      damage = file.damage ?? error
    }
    (self.path, state, members) = (path, file.state, list.members)
    let slash = UInt8(ascii: "/")
    // A folder comes before what has its name and more.
    let names = members.keys.map { ($0, Array($0.utf8).map { $0 == slash ? 0 : $0 }) }
      .sorted { $0.1.lexicographicallyPrecedes($1.1) }
    entries = names.map { name, _ in (name, list.members[name]?.refusal) }
  }

  /// True if a path leads to a member of a container.
  package static func holds(_ path: String) -> Bool { split(path) != nil }

  /// The container and the member that a path leads to.
  private static func split(_ path: String) -> (Container, Member)? {
    let slash = UInt8(ascii: "/")
    var end = path.utf8.endIndex
    while let next = path.utf8[..<end].lastIndex(of: slash) {
      end = next
      guard let container = find(String(path[..<end]), isKnown: true) else { continue }
      return container.members[String(path[path.utf8.index(after: end)...])].map { (container, $0) }
    }
    return nil
  }

  /// A file of a container that several threads read.
  private final class OpenFile: Sendable {
    let content: ContainerFile

    init(_ path: String) throws(SystemError) { content = try ContainerFile(path) }
  }

  /// Opens the file of a container.
  ///
  /// One that has to be unpacked stays open, as the last of a few.
  private static func open(containerAt path: String) throws(SystemError) -> OpenFile {
    let state = FileState(path: path)
    let known = unpacked.withLock { files in
      files.first { $0.path == path && $0.file.content.state == state }?.file
    }
    if let known { return known }
    let file = try OpenFile(path)
    guard file.content.isUnpacked else { return file }
    unpacked.withLock { files in
      files.removeAll { $0.path == path }
      if files.count == maxUnpacked { files.removeFirst() }
      files.append((path, file))
    }
    return file
  }

  /// Opens the member at a path.
  ///
  /// - Returns: The descriptor of a copy, which the caller closes; nil if there is no such member.
  /// - Throws: The system's error.
  static func open(_ path: String) throws(SystemError) -> CInt? {
    guard let (container, member) = split(path) else { return nil }
    let file = try open(containerAt: container.path)
    guard file.content.state == container.state else { throw SystemError(ESTALE) }
    do throws(Refusal) {
      if let refusal = member.refusal { throw refusal }
      return try file.content.copy(member)
    } catch {
      if case .system(let error) = error { throw error }
      throw SystemError(EBADMSG)
    }
  }

  /// The status of the member at a path: that of the container, but for the size.
  static func status(of path: String) throws(SystemError) -> stat? {
    guard let (container, member) = split(path) else { return nil }
    var status = try FileSystem.status(of: container.path)
    status.st_size = off_t(member.size)
    return status
  }

  /// The most bytes that so many packed ones may become.
  static func limit(_ packedSize: Int) -> Int {
    let (limit, isOverflow) = packedSize.multipliedReportingOverflow(by: expansion)
    return isOverflow ? .max : max(limit, leastLimit)
  }
}

/// The members of a container, as they are found.
struct MemberList {
  private(set) var members: [String: Container.Member] = [:]
  private let most: Int

  init(most: Int) { self.most = most }

  /// Adds a member; of several with one name, the last counts.
  mutating func add(_ name: [UInt8], _ member: Container.Member) throws(Container.Refusal) {
    guard members.count < most else { throw .tooMany }
    let parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .drop { $0.isEmpty || $0.elementsEqual(".".utf8) }
    var member = member
    let isSafe =
      !parts.isEmpty && !name.contains(0)
      && parts.allSatisfy {
        !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
      }
    if !isSafe { member.refusal = .unsafeName }
    members[FileName.text(parts.joined(separator: "/".utf8))] = member
  }
}

/// The file of a container, open; one of gzip is unpacked into a file without a name.
struct ContainerFile: ~Copyable {
  /// The state of the file at the path.
  let state: FileState
  let size: Int
  let isUnpacked: Bool
  /// The reason for which it could not be unpacked to its end.
  let damage: Container.Refusal?
  private let descriptor: CInt

  init(_ path: String) throws(SystemError) {
    let (packed, status) = try Self.open(path)
    let packedSize = Int(status.st_size)
    let unpacked = try Self.unpack(packed, packedSize)
    if unpacked != nil { close(packed) }
    (state, isUnpacked) = (FileState(status), unpacked != nil)
    (descriptor, size, damage) = unpacked ?? (packed, packedSize, nil)
  }

  /// A copy of a file of gzip, unpacked; nil for any other.
  ///
  /// If there is an error, it closes the file.
  private static func unpack(
    _ packed: CInt, _ size: Int
  ) throws(SystemError) -> (CInt, Int, Container.Refusal?)? {
    var head: [UInt8] = [0, 0]
    guard unsafe pread(packed, &head, 2, 0) == 2, head == [0x1F, 0x8B] else { return nil }
    let copy: CInt
    do throws(SystemError) {
      copy = try TemporaryFile.make()
    } catch {
      close(packed)
      throw error
    }
    var (written, taken): (UInt64, UInt64) = (0, 0)
    let limit = UInt64(Container.limit(size))
    let damage: Container.Refusal? =
      switch unsafe cdf_unpack(packed, copy, limit, &written, &taken) {
      case cdf_result_done: nil
      case cdf_result_full: .tooLarge
      case cdf_result_damaged: .damaged(Int(clamping: taken))
      case cdf_result_no_memory: .system(SystemError(ENOMEM))
      default: .system(SystemError(errno))
      }
    return (copy, Int(clamping: written), damage)
  }

  private static func open(_ path: String) throws(SystemError) -> (CInt, stat) {
    let descriptor = try FileSystem.open(path)
    do throws(SystemError) {
      let status = try FileSystem.status(of: descriptor)
      guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(EINVAL) }
      return (descriptor, status)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Bytes of the file.
  ///
  /// - Throws: The reason if they are not all there.
  func bytes(_ offset: Int, _ count: Int) throws(Container.Refusal) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
      throw .damaged(size)
    }
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
      do throws(SystemError) {
        while filled < count {
          let start = unsafe memory.baseAddress?.advanced(by: filled)
          let read = try FileSystem.again {
            unsafe pread(descriptor, start, count - filled, off_t(offset + filled))
          }
          guard read > 0 else { throw SystemError(ESTALE) }
          filled += read
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw .system(failure) }
    return bytes
  }

  /// A copy of a member.
  func copy(_ member: Container.Member) throws(Container.Refusal) -> CInt {
    let copy: CInt
    do throws(SystemError) { copy = try TemporaryFile.make() } catch { throw .system(error) }
    do throws(Container.Refusal) {
      if let packing = member.packing {
        try write(try unpacked(member, packing), to: copy, at: 0)
      } else {
        var done = 0
        while done < member.size {
          let part = try bytes(member.offset + done, min(1 << 20, member.size - done))
          try write(part, to: copy, at: done)
          done += part.count
        }
      }
    } catch {
      close(copy)
      throw error
    }
    lseek(copy, 0, SEEK_SET)
    return copy
  }

  private func write(
    _ bytes: [UInt8], to copy: CInt, at offset: Int
  ) throws(Container.Refusal) {
    do throws(SystemError) {
      try FileSystem.write(bytes, to: copy, at: offset)
    } catch {
      throw .system(error)
    }
  }
}
