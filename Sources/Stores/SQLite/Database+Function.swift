package import CSQLite

extension Database {
  /// A function in Swift that statements call.
  package final class Function {
    private let function: (Arguments) -> StoredValue

    init(_ function: @escaping (Arguments) -> StoredValue) { self.function = function }

    /// The arguments of a call: valid until it returns.
    @safe package struct Arguments {
      fileprivate let values: UnsafePointer<csq_value>

      /// A copy of an argument.
      package subscript(number: Int) -> StoredValue { unsafe StoredValue(values[number]) }

      /// An argument as a cell, whose bytes are valid until the call returns.
      package func cell(_ number: Int) -> csq_cell {
        var cell = unsafe csq_cell()
        unsafe cell.kind = values[number].kind
        switch unsafe cell.kind {
        case csq_kind_integer: unsafe cell.integer = values[number].integer
        case csq_kind_real: unsafe cell.real = values[number].real
        case csq_kind_text, csq_kind_blob:
          unsafe cell.bytes = unsafe values[number].bytes
          unsafe cell.count = UInt32(clamping: values[number].count)
        default: break
        }
        return unsafe cell
      }

      /// An argument that is an integer; 0 if it is none.
      package func integer(_ number: Int) -> Int64 { unsafe values[number].integer }
    }

    /// The pointer that SQLite hands to `call`.
    ///
    /// The function has to live as long as it may be called.
    var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// Called by SQLite.
    static let call:
      @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer, UnsafePointer<csq_value>
      ) -> Void = { context, call, values in
        guard let context = unsafe context else { return }
        let added = unsafe Unmanaged<Function>.fromOpaque(context).takeUnretainedValue()
        unsafe added.function(Arguments(values: values)).withValue { unsafe csq_return(call, $0) }
      }
  }
}
