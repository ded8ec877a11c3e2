extension DiagramGraph {
  /// The places of the boxes of a diagram, and the ways of its edges.
  ///
  /// An edge that passes a column has a place of its own there, between the boxes: so no edge runs
  /// through a box.
  struct Layout {
    /// A box, or the place of an edge in a column that it passes.
    struct Vertex {
      var node: Int?
      var layer: Int
      var height: Double
      /// The middle.
      var y = 0.0
    }

    /// A piece of an edge, from one column to the next.
    struct Segment: Hashable {
      var left: Int
      var right: Int
      /// The places where it begins and ends, seen from the middle of the vertex.
      var leftOffset = 0.0
      var rightOffset = 0.0
    }

    /// A column, with its vertices from top to bottom.
    private(set) var columns: [[Int]] = []
    private(set) var vertices: [Vertex] = []
    private(set) var segments: [Segment] = []
    /// For each edge that is no loop, the vertices on its way, from left to right.
    private(set) var ways: [[Int]] = []

    /// The room between two boxes of a column, and beside an edge.
    private static let boxGap = 24.0
    private static let edgeGap = 12.0
    private static let sweeps = 12

    init(_ graph: DiagramGraph, sizes: Sizes) {
      let layers = Layers(graph).layers
      vertices = graph.nodes.indices.map {
        Vertex(node: $0, layer: layers[$0], height: sizes.height(of: graph.nodes[$0]))
      }
      var ports: [Port: Int] = [:]
      for edge in graph.edges where !edge.isLoop {
        let (first, last) = ends(of: edge)
        ports[Port(first, isLeft: true), default: 0] += 1
        ports[Port(last, isLeft: false), default: 0] += 1
      }
      var shared: [Passage: Int] = [:]
      var known: Set<Segment> = []
      for edge in graph.edges {
        ways.append(
          edge.isLoop ? [] : addWay(of: edge, graph, sizes, ports, &shared, &known))
      }
      columns = Array(repeating: [], count: (vertices.map(\.layer).max() ?? -1) + 1)
      for (number, vertex) in vertices.enumerated() { columns[vertex.layer].append(number) }
      order()
      place()
    }

    /// Leads an edge through the columns that it passes.
    ///
    /// Edges that begin or end at the same place share the way, as far as it is the same.
    private mutating func addWay(
      of edge: DiagramGraph.Edge, _ graph: DiagramGraph, _ sizes: Sizes,
      _ ports: [Port: Int], _ shared: inout [Passage: Int], _ known: inout Set<Segment>
    ) -> [Int] {
      let (first, last) = ends(of: edge)
      let (start, end) = (Port(first, isLeft: true), Port(last, isLeft: false))
      let port = ports[start, default: 0] > 1 ? start : end
      var way = [first.node]
      for layer in vertices[first.node].layer + 1..<vertices[last.node].layer {
        let passage = Passage(port: port, layer: layer)
        if let vertex = shared[passage] {
          way.append(vertex)
        } else {
          shared[passage] = vertices.count
          way.append(vertices.count)
          vertices.append(Vertex(node: nil, layer: layer, height: 0))
        }
      }
      way.append(last.node)
      for (place, (left, right)) in zip(way, way.dropFirst()).enumerated() {
        var segment = Segment(left: left, right: right)
        if place == 0 { segment.leftOffset = sizes.offset(of: first, in: graph.nodes[first.node]) }
        if place == way.count - 2 {
          segment.rightOffset = sizes.offset(of: last, in: graph.nodes[last.node])
        }
        if known.insert(segment).inserted { segments.append(segment) }
      }
      return way
    }

    /// The ends of an edge, the left one first.
    func ends(of edge: DiagramGraph.Edge) -> (DiagramGraph.End, DiagramGraph.End) {
      let isForward = vertices[edge.from.node].layer <= vertices[edge.to.node].layer
      return isForward ? (edge.from, edge.to) : (edge.to, edge.from)
    }

    /// A place at the side of a box where edges begin or end.
    private struct Port: Hashable {
      var node: Int
      var field: Int?
      var mark: DiagramGraph.Mark
      var isLeft: Bool

      init(_ end: DiagramGraph.End, isLeft: Bool) {
        (node, field, mark, self.isLeft) = (end.node, end.field, end.mark, isLeft)
      }
    }

    /// The place where edges of a port pass a column.
    private struct Passage: Hashable {
      var port: Port
      var layer: Int
    }

    // MARK: Order

    /// Puts the vertices of each column into the order in which few edges cross.
    private mutating func order() {
      var best = columns
      var fewest = crossings()
      for sweep in 0..<Self.sweeps where fewest > 0 {
        let isForward = sweep.isMultiple(of: 2)
        let numbers = isForward ? Array(columns.indices) : columns.indices.reversed()
        for number in numbers { sort(column: number, isForward: isForward) }
        let found = crossings()
        if found < fewest { (best, fewest) = (columns, found) }
      }
      columns = best
    }

    /// Sorts a column by the places of what its vertices are connected with.
    private mutating func sort(column: Int, isForward: Bool) {
      let ranks = self.ranks()
      var sums: [Int: (total: Double, count: Int)] = [:]
      for segment in segments {
        let (own, other) =
          isForward ? (segment.right, segment.left) : (segment.left, segment.right)
        guard vertices[own].layer == column else { continue }
        let offset = isForward ? segment.leftOffset : segment.rightOffset
        let place = Double(ranks[other]) + offset / (vertices[other].height + 1)
        sums[own, default: (0, 0)].total += place
        sums[own, default: (0, 0)].count += 1
      }
      let places = columns[column].map { vertex in
        sums[vertex].map { $0.total / Double($0.count) } ?? Double(ranks[vertex])
      }
      let order = columns[column].indices.sorted { (places[$0], $0) < (places[$1], $1) }
      columns[column] = order.map { columns[column][$0] }
    }

    private func ranks() -> [Int] {
      var ranks = Array(repeating: 0, count: vertices.count)
      for column in columns {
        for (rank, vertex) in column.enumerated() { ranks[vertex] = rank }
      }
      return ranks
    }

    private func crossings() -> Int {
      let ranks = self.ranks()
      let byColumn = Dictionary(grouping: segments) { vertices[$0.left].layer }
      return byColumn.values.reduce(0) { sum, group in
        let sorted = group.map {
          (
            Double(ranks[$0.left]) * 1e4 + $0.leftOffset,
            Double(ranks[$0.right]) * 1e4 + $0.rightOffset
          )
        }
        var found = 0
        for (number, first) in sorted.enumerated() {
          for second in sorted[(number + 1)...]
          where (first.0 - second.0) * (first.1 - second.1) < 0 { found += 1 }
        }
        return sum + found
      }
    }

    // MARK: Place

    /// Moves the vertices so that edges are as level as the boxes allow.
    private mutating func place() {
      for column in columns { settle(column, wanted: column.map { _ in 0 }) }
      for sweep in 0..<Self.sweeps {
        let numbers =
          sweep.isMultiple(of: 2) ? Array(columns.indices) : columns.indices.reversed()
        for number in numbers { settle(columns[number], wanted: wanted(columns[number])) }
      }
      let top = vertices.map { $0.y - $0.height / 2 }.min() ?? 0
      for number in vertices.indices { vertices[number].y -= top }
    }

    private func wanted(_ column: [Int]) -> [Double] {
      var sums: [Int: (total: Double, count: Double)] = [:]
      for segment in segments {
        let (left, right) = (segment.left, segment.right)
        let step = segment.leftOffset - segment.rightOffset
        sums[left, default: (0, 0)].total += vertices[right].y - step
        sums[left, default: (0, 0)].count += 1
        sums[right, default: (0, 0)].total += vertices[left].y + step
        sums[right, default: (0, 0)].count += 1
      }
      return column.map { vertex in
        sums[vertex].map { $0.total / $0.count } ?? vertices[vertex].y
      }
    }

    /// Gives each vertex of a column the place that is nearest to the one it wants, in order and
    /// with room between them: neighbours that want to be in the same place share the way.
    private mutating func settle(_ column: [Int], wanted: [Double]) {
      var blocks: [(sum: Double, count: Double, first: Int)] = []
      var shift = 0.0
      var shifts: [Double] = []
      for (number, vertex) in column.enumerated() {
        if number > 0 { shift += distance(column[number - 1], vertex) }
        shifts.append(shift)
        blocks.append((wanted[number] - shift, 1, number))
        while blocks.count > 1 {
          let (upper, lower) = (blocks[blocks.count - 2], blocks[blocks.count - 1])
          guard upper.sum / upper.count > lower.sum / lower.count else { break }
          blocks.removeLast(2)
          blocks.append((upper.sum + lower.sum, upper.count + lower.count, upper.first))
        }
      }
      for (number, block) in blocks.enumerated() {
        let end = number + 1 < blocks.count ? blocks[number + 1].first : column.count
        for place in block.first..<end {
          vertices[column[place]].y = block.sum / block.count + shifts[place]
        }
      }
    }

    private func distance(_ upper: Int, _ lower: Int) -> Double {
      let isBetweenBoxes = vertices[upper].node != nil && vertices[lower].node != nil
      let gap = isBetweenBoxes ? Self.boxGap : Self.edgeGap
      return (vertices[upper].height + vertices[lower].height) / 2 + gap
    }
  }
}
