import TestSupport

/// Opens and inspects keyed archives, and reads every object.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzArchive(start: UnsafePointer<UInt8>?, count: Int) -> Int32 {
  _ = ArchiveWalk(UnsafeBufferPointer(start: start, count: count))
  return 0
}
