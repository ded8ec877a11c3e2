/// Makes a case smaller as long as something is wrong with it in the same manner.
package enum CaseShrinker {
  /// Looks for the smallest case.
  ///
  /// - Parameters:
  ///   - archives: The case.
  ///   - most: How many cases are tried at most.
  ///   - isWrong: Whether a case still has the finding.
  /// - Returns: The smallest case that was found.
  package static func shrink(
    _ archives: ArchiveCase, most: Int = 2_000, isWrong: (ArchiveCase) -> Bool
  ) -> ArchiveCase {
    var best = archives
    var tried = 0
    var hasShrunk = true
    while hasShrunk {
      hasShrunk = false
      for steps in [files, settings, top, objects, collections, pairs, elements, contents] {
        var place = 0
        while tried < most, let candidate = steps(best, place) {
          tried += 1
          if isWrong(candidate) {
            best = candidate
            hasShrunk = true
          } else {
            place += 1
          }
        }
      }
    }
    return best
  }

  private static func files(_ archives: ArchiveCase, _ place: Int) -> ArchiveCase? {
    guard archives.files.count > 1, archives.files.indices.contains(place) else { return nil }
    var smaller = archives
    smaller.files.remove(at: place)
    return smaller
  }

  private static func settings(_ archives: ArchiveCase, _ place: Int) -> ArchiveCase? {
    var smaller = archives
    switch place {
    case 0: smaller.settings = CaseSettings()
    case 1:
      for file in smaller.files.indices {
        smaller.files[file].isXML = false
        smaller.files[file].order = 0
        smaller.files[file].name = "f\(file).plist"
      }
    case 2:
      smaller.settings = CaseSettings()
      smaller.settings.startsEarly = archives.settings.startsEarly
    default: return nil
    }
    return smaller.isEqual(archives) ? self.settings(archives, place + 1) : smaller
  }

  private static func top(_ archives: ArchiveCase, _ place: Int) -> ArchiveCase? {
    remove(archives, place, count: { $0.top.count }) { $0.top.remove(at: $1) }
  }

  /// Leaves an object out: what refers to it holds nothing then.
  private static func objects(_ archives: ArchiveCase, _ place: Int) -> ArchiveCase? {
    remove(archives, place, count: { $0.objects.count }) { file, number in
      file.objects.remove(at: number)
      file.mapContents { content in
        guard case .object(let other) = content else { return content }
        return other == number ? .none : .object(other > number ? other - 1 : other)
      }
    }
  }

  /// Leaves a collection out: what refers to it holds nothing then.
  private static func collections(_ archives: ArchiveCase, _ place: Int) -> ArchiveCase? {
    remove(archives, place, count: { $0.collections.count }) { file, number in
      file.collections.remove(at: number)
      file.mapContents { content in
        guard case .collection(let other) = content else { return content }
        return other == number ? .none : .collection(other > number ? other - 1 : other)
      }
    }
  }

  private static func pairs(_ archives: ArchiveCase, _ place: Int) -> ArchiveCase? {
    var rest = place
    for file in archives.files.indices {
      for object in archives.files[file].objects.indices {
        let pairs = archives.files[file].objects[object].pairs
        let removable = pairs.indices.filter {
          pairs[$0].key != archives.files[file].objects[object].identity
        }
        if rest < removable.count {
          var smaller = archives
          smaller.files[file].objects[object].pairs.remove(at: removable[rest])
          return smaller
        }
        rest -= removable.count
      }
    }
    return nil
  }

  /// Leaves elements of collections out.
  private static func elements(_ archives: ArchiveCase, _ place: Int) -> ArchiveCase? {
    var rest = place
    for file in archives.files.indices {
      for number in archives.files[file].collections.indices {
        let count = archives.files[file].collections[number].elements.count
        if rest < count {
          var smaller = archives
          smaller.files[file].collections[number].elements.remove(at: rest)
          if archives.files[file].collections[number].keys.indices.contains(rest) {
            smaller.files[file].collections[number].keys.remove(at: rest)
          }
          return smaller
        }
        rest -= count
      }
    }
    return nil
  }

  /// Puts a plain number in the place of another value.
  private static func contents(_ archives: ArchiveCase, _ place: Int) -> ArchiveCase? {
    var rest = place
    for file in archives.files.indices {
      for object in archives.files[file].objects.indices {
        let found = archives.files[file].objects[object]
        for pair in found.pairs.indices where found.pairs[pair].key != found.identity {
          guard case .leaf(let leaf, let isBoxed) = found.pairs[pair].content,
            leaf != .integer(1) || isBoxed
          else { continue }
          if rest == 0 {
            var smaller = archives
            smaller.files[file].objects[object].pairs[pair].content =
              .leaf(.integer(1), isBoxed: false)
            return smaller
          }
          rest -= 1
        }
      }
    }
    return nil
  }

  private static func remove(
    _ archives: ArchiveCase, _ place: Int, count: (ArchivedFile) -> Int,
    _ change: (inout ArchivedFile, Int) -> Void
  ) -> ArchiveCase? {
    var rest = place
    for file in archives.files.indices {
      let count = count(archives.files[file])
      if rest < count {
        var smaller = archives
        change(&smaller.files[file], rest)
        return smaller
      }
      rest -= count
    }
    return nil
  }
}

extension ArchivedFile {
  mutating func mapContents(_ change: (Content) -> Content) {
    for place in top.indices { top[place].content = change(top[place].content) }
    for object in objects.indices {
      for pair in objects[object].pairs.indices {
        objects[object].pairs[pair].content = change(objects[object].pairs[pair].content)
      }
    }
    for number in collections.indices {
      collections[number].elements = collections[number].elements.map(change)
      collections[number].keys = collections[number].keys.map(change)
    }
  }
}

extension ArchiveCase {
  fileprivate func isEqual(_ other: ArchiveCase) -> Bool { description == other.description }
}
