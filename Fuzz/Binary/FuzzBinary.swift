import TestSupport

/// Reads binary property lists, whose signature is put right, node by node.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzBinary(start: UnsafePointer<UInt8>?, count: Int) -> Int32 {
  let input = UnsafeBufferPointer(start: start, count: count)
  _ = PropertyListWalk(Array("bplist00".utf8) + input.dropFirst(8))
  return 0
}
