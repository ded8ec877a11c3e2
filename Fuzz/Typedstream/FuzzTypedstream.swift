import ArchiveReader
import GraphTesting
import TestSupport

/// Opens and inspects typedstreams, and checks that what is read keeps the laws of object graphs.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzTypedstream(start: UnsafePointer<UInt8>?, count: Int) -> Int32 {
  let file = ByteStorage(UnsafeBufferPointer(start: start, count: count))
  guard let list = try? PropertyList(typedstream: file), let archive = try? KeyedArchive(list)
  else { return 0 }
  _ = try? archive.inspect(limits: .standard)
  let faults = checkGraph(archive)
  precondition(faults.isEmpty, "\(faults)")
  return 0
}
