internal import CInputs
import Foundation
import GraphCore

/// The bytes of a large file, mapped into memory, which do not change whoever writes to the file.
///
/// A file is mapped where it lies as long as the system holds a lease on it: whoever wants to write
/// to it waits until the mapping has become one of a private copy, at the same addresses. Where
/// there is no lease, the copy is made before anything is read. The copy has no name; it takes room
/// on the disk, and none in memory that could not be given up.
@safe package final class MappedInput: @unchecked Sendable {
  // Unchecked: the memory does not change, and what guards it is changed by `LeaseWatch` alone.
  package let bytes: UnsafeRawBufferPointer
  /// The number of the guard that notes pages that cannot be read.
  private let guardNumber: CInt
  /// The file, as long as it may be leased.
  private let descriptor: CInt

  /// Maps a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - leases: True if it may be mapped where it lies: then `check()` has to be asked whether
  ///     what was read counts.
  /// - Throws: `ArchiveError` if it cannot be read, or changes while it is copied.
  package init(_ file: borrowing InputFile, leases: Bool) throws(ArchiveError) {
    let isLeased = leases && cin_lease(file.descriptor) != 0
    let source: CInt
    do throws(ArchiveError) {
      source =
        isLeased
        ? fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        : try PrivateCopy.make(of: file.descriptor, file.size)
      try file.check()
    } catch {
      if isLeased { _ = cin_release_lease(file.descriptor) }
      throw error
    }
    guard source >= 0, let address = unsafe mmap(nil, file.size, PROT_READ, MAP_PRIVATE, source, 0),
      unsafe address != MAP_FAILED
    else {
      let error = SystemError.last
      if source >= 0 { close(source) }
      if isLeased { _ = cin_release_lease(file.descriptor) }
      throw ArchiveError(error)
    }
    unsafe bytes = unsafe UnsafeRawBufferPointer(start: address, count: file.size)
    guardNumber = unsafe cin_guard(address, file.size)
    guard isLeased else {
      close(source)
      descriptor = -1
      return
    }
    descriptor = source
    let mapping = unsafe LeaseWatch.LeasedMemory(
      address: address, size: file.size, descriptor: source, guardNumber: guardNumber)
    if guardNumber < 0 || !LeaseWatch.begin(mapping) {
      // Nobody would see that somebody waits for the file.
      try LeaseWatch.detach(mapping)
    }
  }

  /// Refuses what was read if a page could not be read.
  package func check() throws(ArchiveError) {
    guard guardNumber >= 0, cin_is_broken(guardNumber) != 0 else { return }
    throw ArchiveError(.unreadable, name: "it changed, or the disk failed, while being read")
  }

  deinit {
    if descriptor >= 0 {
      LeaseWatch.end(descriptor)
      close(descriptor)
    }
    if guardNumber >= 0 { cin_release_guard(guardNumber) }
    unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }
}
