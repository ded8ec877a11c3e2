import TestSupport

/// Opens and inspects keyed archives, and reads every object; then what is left of damaged ones.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzArchive(start: UnsafePointer<UInt8>?, count: Int) -> Int32 {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  _ = ArchiveWalk(bytes)
  _ = ArchiveWalk(salvaging: bytes)
  return 0
}
