extension RowBlock {
  /// Memory for the cells and bytes of rows.
  @safe final class Memory {
    let bytes: UnsafeMutableRawBufferPointer

    /// Makes memory, some for no bytes, too.
    init(_ byteCount: Int) {
      unsafe bytes = .allocate(byteCount: max(1, byteCount), alignment: 16)
    }

    deinit { unsafe bytes.deallocate() }
  }
}
