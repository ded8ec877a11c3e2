import ArchiveWriter
import Foundation

/// Archives to be put inside of others.
enum NestedArchives {
  /// An archive of one object that has a name and perhaps a payload.
  static func item(
    _ className: String, name: String, payload: Data? = nil
  ) -> KeyedArchiveBuilder {
    .archive { archive in
      var pairs = [KeyValue("name", archive.string(name))]
      if let payload { pairs.append(KeyValue("payload", .data(payload))) }
      return archive.instance(of: className, pairs)
    }
  }

  /// An archive that holds an archive and so on, with numbered names; the innermost is the last.
  static func chain(_ count: Int) -> Data {
    (1...count).reversed().reduce(nil as Data?) { inner, number in
      item("Item", name: "\(number)", payload: inner).binary()
    } ?? Data()
  }

  /// An archive with others in all forms: a value of a key, an entry, wrappers, elements of an
  /// array, as a binary list and as XML; a list that is no archive; one that is damaged.
  static func allForms() throws -> KeyedArchiveBuilder {
    let deep = item("Leaf", name: "deep").binary()
    let settings: PropertyListValue = ["size": 12, "$theme": ["dark", ["wide": true]]]
    let mid = item("Mid", name: "inline", payload: deep).binary()
    let xml = try item("Mid", name: "xml").xml()
    let plain = try XMLPropertyListWriter().data(for: settings)
    return .archive { archive in
      let entry = archive.data(xml)
      let wrapper = archive.instance(
        of: "NSMutableData", ["NS.bytes": .data(item("Leaf", name: "bytes").binary())])
      return archive.instance(
        of: "Note",
        [
          "title": archive.string("outer"), "inline": .data(mid), "entry": entry,
          "data": archive.mutableData(item("Leaf", name: "data").binary()), "bytes": wrapper,
          "list": archive.array([entry, 5, .data(BinaryPropertyListWriter().data(for: [1, 2]))]),
          "settings": .data(plain), "damaged": .data(deep.prefix(60)),
          "other": .data(Data("bplist, or not".utf8)),
        ])
    }
  }
}
