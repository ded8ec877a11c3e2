import Foundation

/// Writes property lists in the XML form, laid out as Apple lays it out.
///
/// Control characters are written as they are, as Apple does, though XML forbids them. The XML
/// form knows whole seconds only: fractions of a date are cut off. Lone surrogates become U+FFFD.
public struct XMLPropertyListWriter: Sendable {
  /// Makes a writer.
  public init() {}

  /// Writes a value as UTF-8 text.
  public func data(for value: PropertyListValue) throws(PropertyListWritingError) -> Data {
    var text = Output()
    var pending: [Step] = [.value(value, depth: 0)]
    while let step = pending.popLast() {
      switch step {
      case .line(let line, let depth): text.append(line: line, depth: depth)
      case .key(let key, let depth): text.append(element: "key", key, depth: depth)
      case .value(.array(let elements), let depth):
        open("array", elements.map { [.value($0, depth: depth + 1)] }, depth, &text, &pending)
      case .value(.dictionary(let pairs), let depth):
        let steps = pairs.map { pair -> [Step] in
          [.key(pair.key, depth: depth + 1), .value(pair.value, depth: depth + 1)]
        }
        open("dict", steps, depth, &text, &pending)
      case .value(.uid(let index), let depth):
        let steps: [Step] = [
          .key("CF$UID", depth: depth + 1), .value(.integer(Int64(index)), depth: depth + 1),
        ]
        open("dict", [steps], depth, &text, &pending)
      case .value(let leaf, let depth): try text.append(leaf, depth: depth)
      }
    }
    return text.finished()
  }

  /// A pending step: the writer keeps its own stack in place of recursion.
  private enum Step {
    case line(String, depth: Int)
    case key(String, depth: Int)
    case value(PropertyListValue, depth: Int)
  }

  private func open(
    _ name: String, _ content: [[Step]], _ depth: Int, _ text: inout Output,
    _ pending: inout [Step]
  ) {
    guard !content.isEmpty else { return text.append(line: "<\(name)/>", depth: depth) }
    text.append(line: "<\(name)>", depth: depth)
    pending.append(.line("</\(name)>", depth: depth))
    for steps in content.reversed() {
      pending.append(contentsOf: steps.reversed())
    }
  }
}
