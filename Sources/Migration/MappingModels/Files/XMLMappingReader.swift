import ArchiveReader
import DataModel
import Foundation

extension MappingModelDocument {
  /// Reads the objects of the XML store that an `.xcmappingmodel` is.
  ///
  /// Nothing outside of the file is read: its document type names a DTD of Core Data's, which is
  /// not fetched. What the store says of itself (`databaseInfo`) is passed over, as are objects of
  /// other types.
  struct XMLMappingReader {
    /// The greatest number of objects that are read: real files have hundreds.
    private static let maxObjects = 200_000

    private var objects: [XMLMappingObject] = []
    private var ids: Set<String> = []
    /// The names of the open elements.
    private var path: [String] = []
    private var object: XMLMappingObject?
    /// The name of the attribute that is being read, and its text so far.
    private var attribute: String?
    private var text: [UInt8] = []

    /// The objects in the bytes of a file, in its order.
    static func objects(in bytes: Data) throws(ModelError) -> [XMLMappingObject] {
      var reader = XMLMappingReader()
      var mistake: ModelError?
      do throws(ModelError) {
        try ModelError.readingXML(bytes) { event, line in
          do throws(ModelError) {
            try reader.receive(event, line)
          } catch {
            mistake = error
          }
          return mistake == nil
        }
      } catch {
        guard error.code == .documentType else { throw error }
        throw ModelError(.malformedXML, line: error.line, name: "it declares entities")
      }
      if let mistake { throw mistake }
      return reader.objects
    }

    /// True if there is a mapping model among the objects of an XML store, which may be damaged
    /// elsewhere.
    static func findsMappingModel(in bytes: Data) -> Bool {
      var isFound = false
      try? ModelError.readingXML(bytes) { event, _ in
        if case .start("object", let attributes) = event {
          isFound = attributes["type"]?.uppercased() == XMLMappingObject.Kind.mappingModel.rawValue
        }
        return !isFound
      }
      return isFound
    }

    private mutating func receive(
      _ event: XMLDocumentReader.Event, _ line: Int
    ) throws(ModelError) {
      switch event {
      case .start(let name, let attributes):
        // Real ones have three levels outside of `databaseInfo`.
        guard path.count < 64 else {
          throw ModelError(.tooMany, line: line, name: "nested elements")
        }
        try start(name, attributes, line)
        path.append(name)
      case .text(let bytes):
        if attribute != nil { text += bytes }
      case .end:
        path.removeLast(path.isEmpty ? 0 : 1)
        try end(line)
      }
    }

    private mutating func start(
      _ name: String, _ attributes: [String: String], _ line: Int
    ) throws(ModelError) {
      switch (path.count, name) {
      case (0, "database"): break
      case (0, _): throw ModelError(.notAMappingModel, line: line, name: "it is <\(name)>")
      case (1, "object"): try startObject(attributes, line)
      case (2, "attribute") where object != nil:
        guard let name = attributes["name"] else {
          throw ModelError(.missingName, line: line, name: name)
        }
        attribute = name
        text = []
      case (2, "relationship") where object != nil:
        guard let name = attributes["name"] else {
          throw ModelError(.missingName, line: line, name: name)
        }
        let ids = (attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace).map(
          String.init)
        try object?.add(relationship: name, to: ids, line: line)
      default: break
      }
    }

    private mutating func startObject(
      _ attributes: [String: String], _ line: Int
    ) throws(ModelError) {
      let type = attributes["type"]?.uppercased() ?? ""
      guard let kind = XMLMappingObject.Kind(rawValue: type) else { return }
      guard let id = attributes["id"] else {
        throw ModelError(.missingName, line: line, name: "object")
      }
      guard ids.insert(id).inserted else {
        throw ModelError(.duplicateObject, line: line, name: id)
      }
      guard objects.count < Self.maxObjects else {
        throw ModelError(.tooMany, line: line, name: "objects")
      }
      object = XMLMappingObject(kind, id: id, line: line)
    }

    private mutating func end(_ line: Int) throws(ModelError) {
      switch path.count {
      case 1:
        if let object { objects.append(object) }
        object = nil
      case 2:
        if let attribute {
          try object?.add(
            attribute: attribute, String(decoding: text, as: UTF8.self), line: line)
        }
        attribute = nil
        text = []
      default: break
      }
    }
  }
}
