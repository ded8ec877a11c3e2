import Foundation

/// The paths of stores where each archive has one.
enum StoreNames {
  private static let ending = ".sqlite"

  /// The store of each file: below the folder as the file is below the directory that was searched.
  ///
  /// Where two would have the same, in whatever case, the second gets `_2`.
  static func names(for inputs: [InputFinder.Input], in folder: String) -> [String] {
    var taken: Set<String> = []
    return inputs.map { input in
      var name = input.name
      var number = 2
      while !taken.insert(name.lowercased()).inserted {
        name = "\(input.name)_\(number)"
        number += 1
      }
      return (folder as NSString).appendingPathComponent(name + ending)
    }
  }
}
