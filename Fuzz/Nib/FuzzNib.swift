import TestSupport

/// Reads compiled nibs, whose signature is put right, and every object of them.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzNib(start: UnsafePointer<UInt8>?, count: Int) -> Int32 {
  let input = UnsafeBufferPointer(start: start, count: count)
  let bytes = Array("NIBArchive".utf8) + input.dropFirst(10)
  _ = ArchiveWalk(bytes)
  _ = ArchiveWalk(salvaging: bytes)
  return 0
}
