import Foundation
import StoreFuzzing

/// The path of the store, in memory where there is such a place.
private let path: String = {
  let memory = "/dev/shm"
  let parent = FileManager.default.fileExists(atPath: memory) ? memory : NSTemporaryDirectory()
  return "\(parent)/fuzz-sqlite-store-\(ProcessInfo.processInfo.processIdentifier)"
}()

/// The bytes of a sound store.
private let sample: [UInt8] = {
  _ = FileManager.default.createFile(atPath: path, contents: nil)
  do { try SampleStore.make(at: path) } catch { fatalError("no sample: \(error)") }
  return Array(FileManager.default.contents(atPath: path) ?? Data())
}()

/// Reads SQLite stores of Core Data and all their values: a whole file, or a sound store with the
/// changes that the input stands for.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzSQLiteStore(start: UnsafePointer<UInt8>?, count: Int) -> Int32 {
  let input = UnsafeBufferPointer(start: start, count: count)
  let isFile = input.starts(with: "SQLite format 3\0".utf8)
  let bytes = isFile ? Data(input) : Data(sample)
  guard FileManager.default.createFile(atPath: path, contents: bytes) else { return 0 }
  if !isFile { try? StoreEdits(input).apply(at: path) }
  let faults = StoreProbe.all[count % StoreProbe.all.count].faults(at: path)
  guard faults.isEmpty else { fatalError("\(faults)") }
  return 0
}
