internal import CInputs
import Foundation
import GraphCore
import Synchronization

extension MappedInput {
  /// Looks whether somebody waits to write to a file that is mapped, and puts a private copy in its
  /// place.
  ///
  /// The system makes those who open the file for writing wait, for 45 seconds if it is not set
  /// otherwise: a copy takes less than one.
  enum LeaseWatch {
    /// A mapped file with a lease.
    ///
    /// Unchecked: the memory is nobody's to write to.
    @safe struct LeasedMemory: @unchecked Sendable {
      let address: UnsafeMutableRawPointer
      let size: Int
      let descriptor: CInt
      let guardNumber: CInt
    }

    private struct State {
      /// The files, by their descriptors.
      var mappings: [CInt: LeasedMemory] = [:]
      var isRunning = false
    }

    private static let state = Mutex(State())

    /// The time between two looks at a file, in microseconds.
    private static let interval: useconds_t = 5_000

    /// Begins to watch a file; returns false if no thread can do so.
    static func begin(_ mapping: LeasedMemory) -> Bool {
      state.withLock { state in
        guard state.isRunning || WorkerThread.start(stackSize: 1 << 18, run) else { return false }
        state.isRunning = true
        state.mappings[mapping.descriptor] = mapping
        return true
      }
    }

    /// Watches a file no longer; it must not be read any more.
    static func end(_ descriptor: CInt) {
      state.withLock { state in
        guard state.mappings.removeValue(forKey: descriptor) != nil else { return }
        _ = cin_release_lease(descriptor)
      }
    }

    private static func run() {
      while true {
        usleep(interval)
        let continues = state.withLock { state in
          for (descriptor, mapping) in state.mappings where cin_is_leased(descriptor) == 0 {
            state.mappings[descriptor] = nil
            // What is wrong is told by whoever asks the file.
            try? detach(mapping)
          }
          state.isRunning = !state.mappings.isEmpty
          return state.isRunning
        }
        guard continues else { return }
      }
    }

    /// Puts a copy of the file in its place in memory, and lets others write to the file.
    ///
    /// - Throws: `ArchiveError` if that cannot be done: then the memory is zero, and counts as
    ///   broken.
    static func detach(_ mapping: LeasedMemory) throws(ArchiveError) {
      var failure: ArchiveError?
      do throws(ArchiveError) {
        let copy = try PrivateCopy.make(of: mapping.descriptor, mapping.size)
        defer { close(copy) }
        // In one go: whoever reads sees the one or the other, which are the same.
        let flags = MAP_PRIVATE | MAP_FIXED
        if unsafe mmap(mapping.address, mapping.size, PROT_READ, flags, copy, 0) == MAP_FAILED {
          failure = ArchiveError(SystemError.last)
        }
      } catch {
        failure = error
      }
      // Without a lease up to now, somebody may have written to the file before it was copied.
      if cin_release_lease(mapping.descriptor) == 0 { failure = failure ?? .changed }
      guard let failure else { return }
      if mapping.guardNumber >= 0 { cin_break(mapping.guardNumber) }
      throw failure
    }
  }
}
