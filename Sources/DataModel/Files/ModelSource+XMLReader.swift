import ArchiveReader
import Foundation

extension ModelSource {
  /// Reads the XML of a model: the file `contents` of an `.xcdatamodel` folder.
  ///
  /// Elements and attributes that a `Model` does not hold are passed over. Nothing outside of the
  /// file is read, and a file that could declare XML entities is refused.
  package struct XMLReader {
    private var declarations = ModelDeclarations()
    private var versionIdentifiers: [String] = []
    /// The names of the open elements.
    private var path: [String] = []
    private var entity: ModelDeclarations.EntityDeclaration?
    private var constraint: [String] = []
    private var compoundIndex: [String] = []
    private var fetchIndex: FetchIndex?
    private var hasModel = false
    private var hasConfigurations = false

    /// The model in the bytes of a file.
    package static func model(in bytes: Data) throws(ModelError) -> Model {
      // A model has no document type, and is UTF-8, so that the search cannot be misled.
      guard bytes.firstIndex(of: 0) == nil else { throw ModelError(.notAModel, name: "not UTF-8") }
      guard bytes.range(of: Data("<!DOCTYPE".utf8)) == nil else { throw ModelError(.documentType) }

      var reader = XMLReader()
      var mistake: ModelError?
      try ModelError.readingXML(bytes) { event, line in
        do throws(ModelError) {
          try reader.receive(event, line)
        } catch {
          mistake = error
        }
        return mistake == nil
      }
      if let mistake { throw mistake }
      guard reader.hasModel else { throw ModelError(.notAModel, name: "it has no <model>") }
      var model = try reader.declarations.model(versionIdentifiers: reader.versionIdentifiers)
      model.hasConfigurations = reader.hasConfigurations
      return model
    }

    private mutating func receive(
      _ event: XMLDocumentReader.Event, _ line: Int
    ) throws(ModelError) {
      switch event {
      case .start(let name, let attributes):
        var element = Element(
          name: name, attributes: attributes, line: line, entityName: entity?.entity.name)
        try start(&element)
        path.append(name)
      case .end(let name):
        path.removeLast(path.isEmpty ? 0 : 1)
        try end(name)
      case .text: break
      }
    }

    private mutating func start(_ element: inout Element) throws(ModelError) {
      defer { declarations.notes += element.notes }
      switch (path.last, element.name) {
      case (nil, "model"):
        hasModel = true
        if let identifier = element["userDefinedModelVersionIdentifier"] {
          versionIdentifiers = [identifier]
        }
      case (nil, _):
        throw ModelError(.notAModel, line: element.line, name: "it is <\(element.name)>")
      case ("model", "entity"):
        entity = ModelDeclarations.EntityDeclaration(try element.entity(), line: element.line)
      case ("entity", "attribute"):
        let attribute = try element.attribute()
        try entity?.add(attribute, line: element.line)
        if try element.flag("indexed") { entity?.indexHints.attributes.append(attribute.name) }
      case ("entity", "relationship"):
        try entity?.add(try element.relationship(), line: element.line)
      case ("uniquenessConstraints", "uniquenessConstraint"):
        constraint = []
      case ("uniquenessConstraint", "constraint"):
        guard let name = element.text("value") else { throw element.failure(.missingName) }
        constraint.append(name)
      case ("compoundIndexes", "compoundIndex"):
        compoundIndex = []
      case ("compoundIndex", "index"):
        guard let name = element.text("value") else { throw element.failure(.missingName) }
        compoundIndex.append(name)
      case ("entity", "fetchIndex"):
        fetchIndex = try element.fetchIndex()
      case ("fetchIndex", "fetchIndexElement"):
        fetchIndex?.elements.append(try element.fetchIndexElement())
      case ("model", "configuration"):
        hasConfigurations = true
      case ("userInfo", "entry"):
        guard let key = element.text("key"), let value = element.text("value") else { return }
        entity?.add(userInfo: key, value, to: path.dropLast().last ?? "")
      default: break
      }
    }

    private mutating func end(_ name: String) throws(ModelError) {
      switch (path.last, name) {
      case ("model", "entity"):
        if let entity { try declarations.add(entity) }
        entity = nil
      case ("uniquenessConstraints", "uniquenessConstraint"):
        if !constraint.isEmpty { entity?.entity.uniquenessConstraints.append(constraint) }
      case ("compoundIndexes", "compoundIndex"):
        if !compoundIndex.isEmpty { entity?.indexHints.compounds.append(compoundIndex) }
      case ("entity", "fetchIndex"):
        if let fetchIndex { entity?.entity.fetchIndexes.append(fetchIndex) }
        fetchIndex = nil
      default: break
      }
    }
  }
}

extension ModelError {
  /// Reads an XML document; what is wrong with it is an error in a model.
  ///
  /// - Parameters:
  ///   - document: The bytes.
  ///   - receive: Called with each event and its line; returns whether to continue.
  /// - Throws: `ModelError` without a path.
  package static func readingXML(
    _ document: Data, _ receive: (XMLDocumentReader.Event, _ line: Int) -> Bool
  ) throws(ModelError) {
    do throws(XMLDocumentReader.Failure) {
      try XMLDocumentReader.read(ByteStorage(document), receive)
    } catch {
      switch error {
      case .malformed(let words, let line): throw ModelError(.malformedXML, line: line, name: words)
      case .declaresEntities(let line): throw ModelError(.documentType, line: line)
      case .outOfMemory: throw ModelError(.unreadable, name: "out of memory")
      }
    }
  }
}
