/// A source that is read without its wrappers: objects of some classes that hold one thing and no
/// more, such as boxes and weak references.
///
/// Wherever one is referred to, what it holds is there instead. Everything else is as the source
/// has it.
package final class UnwrappedSource: LayeredSource {
  /// The source with its wrappers.
  package let base: any GraphSource
  let index: WrapperIndex

  /// The source without its wrappers; the source itself if it has none, or if it is damaged:
  /// whoever reads it meets the damage.
  ///
  /// - Parameters:
  ///   - base: The source.
  ///   - classNames: The names of the classes, as archived or as in Swift.
  ///   - options: The limits on following chains of references.
  /// - Returns: The source.
  /// - Complexity: Linear in the values that are reached, if there are any such classes.
  package static func make(
    _ base: any GraphSource, _ classNames: Set<String>, _ options: GraphOptions
  ) -> any GraphSource {
    guard !classNames.isEmpty, !base.holdsEveryObject, base.keepsBytes,
      let index = try? WrapperIndex(base, classNames, options), index.count > 0
    else { return base }
    return UnwrappedSource(base, index)
  }

  private init(_ base: any GraphSource, _ index: WrapperIndex) {
    (self.base, self.index) = (base, index)
  }

  package var residentBytes: Int { base.residentBytes + index.byteCount }
  package var objectCount: Int { base.objectCount }
  package var valueCount: Int { base.valueCount }
  package var roots: [GraphRoot] { base.roots }
  package var mayHoldDictionaries: Bool { base.mayHoldDictionaries }

  package func number(ofObject uid: Int) -> Int64 { base.number(ofObject: uid) }
  package func makeNumberLookup() -> (_ number: Int64, _ className: String) -> Int? {
    base.makeNumberLookup()
  }
  package func makeGraph(_ options: GraphOptions) -> any ObjectGraph {
    Graph(self, base.makeGraph(options), options)
  }
}

extension GraphSource {
  /// The source as it was opened: with its wrappers, and its records as dictionaries.
  package var underlying: any GraphSource {
    let source = withoutRecords
    return (source as? UnwrappedSource)?.base ?? source
  }

  /// The version of a class; `NSNotFound` where it is not known.
  package func classVersion(_ name: String) -> Int {
    underlying.classVersions[name].flatMap { Int(exactly: $0) } ?? Int.max
  }

  /// The number of wrappers that it is read without.
  package var wrapperCount: Int { (withoutRecords as? UnwrappedSource)?.index.count ?? 0 }
}
