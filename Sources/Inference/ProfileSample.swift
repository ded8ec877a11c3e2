/// Chooses the objects of an archive that predict its profile.
///
/// Of each class so many objects are looked at, those that the walk comes to first; of a long
/// collection, elements here and there. Objects that are left out are no links either: so what the
/// sample holds is a whole by itself, in which members lead to their owners and back as they do in
/// the archive.
package struct ProfileSample {
  /// How large a sample is.
  package struct Size: Sendable {
    /// How many objects of a class it takes.
    package var objects = 1 << 14
    /// How many elements of a collection it looks at, about.
    package var elements = 256

    package init() {}
  }

  /// How many elements in a row are left out before the others of their collection are, too.
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

  /// How far apart the elements of a collection are that are looked at.
  func step(over count: Int) -> Int { max(1, count / max(1, size.elements)) }
}
