/// In which order names are asked for: mostly in the same one for all objects of a class.
///
/// For each index, and for the beginning, it remembers the name that was asked for next, as the
/// program holds it: then two literals are compared by their places rather than by their letters.
@safe package final class NameOrder {
  @usableFromInline
  struct Entry {
    @usableFromInline var name = ""
    @usableFromInline var index = -1
    /// True if the name is ASCII: then no other of as many bytes looks the same.
    @usableFromInline var isASCII = true
  }

  /// The remembered names: first the one asked for at the beginning, then those after each index.
  ///
  /// A pointer, since an array would be checked for other owners at each look. It is valid up to
  /// `capacity`, and freed with the object.
  @usableFromInline let entries: UnsafeMutablePointer<Entry>
  @usableFromInline let capacity: Int

  /// Names with larger indices are not remembered.
  private static let maxNames = 256

  /// - Parameter count: The number of names.
  package init(count: Int) {
    capacity = min(count, Self.maxNames) + 1
    unsafe entries = .allocate(capacity: capacity)
    unsafe entries.initialize(repeating: Entry(), count: capacity)
  }

  deinit {
    unsafe entries.deinitialize(count: capacity)
    unsafe entries.deallocate()
  }

  /// The index of a name, if it is the one that came after another before.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - last: The index of the one before; -1 at the beginning.
  /// - Returns: Its index; -1 if another name came there, or none.
  @inlinable @inline(__always)
  package func index(of name: String, after last: Int) -> Int {
    let place = last + 1
    guard place < capacity, unsafe entries[place].name == name,
      unsafe entries[place].name.utf8.count == name.utf8.count,
      unsafe entries[place].isASCII || entries[place].name.utf8.elementsEqual(name.utf8)
    else { return -1 }
    return unsafe entries[place].index
  }

  /// Notes which name came after another.
  package func note(_ name: String, _ index: Int, after last: Int) {
    guard last + 1 < capacity else { return }
    unsafe entries[last + 1] = Entry(
      name: name, index: index, isASCII: name.utf8.allSatisfy { $0 < 0x80 })
  }
}
