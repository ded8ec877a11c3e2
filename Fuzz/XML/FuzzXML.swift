import TestSupport

/// Reads property lists in XML, node by node.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzXML(start: UnsafePointer<UInt8>?, count: Int) -> Int32 {
  _ = PropertyListWalk(UnsafeBufferPointer(start: start, count: count))
  return 0
}
