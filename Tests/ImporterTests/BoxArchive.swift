import ArchiveWriter

/// Makes archives of boxes with things in them, each of which holds its box.
enum BoxArchive {
  /// An archive of one box; the things are of one class, with their names and labels.
  static func box(
    _ name: String = "box", of className: String = "Thing",
    _ things: [(name: String, labels: [String])]
  ) -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let box = archive.reserve()
      let members = things.map { thing in
        archive.instance(
          of: className,
          [
            "name": archive.string(thing.name), "box": box.reference,
            "labels": archive.set(thing.labels.map { .string($0) }),
          ])
      }
      return archive.fill(
        box, className: "Box",
        ["name": archive.string(name), "things": archive.array(members)])
    }
  }

  /// An archive of one box with things without labels.
  static func box(_ name: String = "box", things: String...) -> KeyedArchiveBuilder {
    box(name, things.map { ($0, []) })
  }
}
