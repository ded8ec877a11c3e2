/// Chooses the objects of an archive that predict its profile.
///
/// Of each class so many objects are looked at, those that the walk comes to first; of a long
/// collection, elements here and there. Objects that are left out are no links either: so what the
/// sample holds is a whole by itself, in which members lead to their owners and back as they do in
/// the archive.
package struct ProfileSample {
  /// The size of a sample.
  package struct Size: Sendable {
    /// The most objects of a class that it takes.
    package var objects = 1 << 14
    /// The approximate number of elements of a collection that it looks at.
    package var elements = 256

    package init() {}
  }

  /// The number of elements left out in a row after which the rest of the collection is, too.
  static let maxLeftOut = 16

  private let size: Size
  /// For each class of the profile, how many objects were taken.
  private var counts: [Int] = []

  init(_ size: Size) {
    self.size = size
  }

  /// Takes another object of a class; returns whether there is room for it.
  mutating func admit(class place: Int) -> Bool {
    while counts.count <= place { counts.append(0) }
    guard counts[place] < size.objects else { return false }
    counts[place] += 1
    return true
  }

  /// The distance between the elements of a collection that are looked at.
  func step(over count: Int) -> Int { max(1, count / max(1, size.elements)) }
}
