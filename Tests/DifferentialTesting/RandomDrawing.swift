import TestSupport

/// Draws numbers and choices.
protocol RandomDrawing {
  var random: SeededGenerator { get set }
}

extension RandomDrawing {
  mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  mutating func number(below end: Int) -> Int { Int.random(in: 0..<end, using: &random) }
  mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

  mutating func one<Element>(of list: [Element]) -> Element {
    list[number(below: list.count)]
  }
}
