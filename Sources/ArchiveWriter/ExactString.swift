/// A string that is equal only to a string of the same code units.
///
/// Swift's strings are equal when they look the same ("é" in one or two scalars); to write such
/// two as one object would change one of them.
struct ExactString: Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: ExactString, right: ExactString) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: .init($0)) }
  }
}
