import Foundation
import FoundationXML

/// Reads the XML of a model: the file `contents` of an `.xcdatamodel` folder.
///
/// Elements and attributes that a `Model` does not hold are passed over. Nothing outside of the
/// file is read, and a file that could declare XML entities is refused.
final class XMLModelReader: NSObject {
  private var declarations = ModelDeclarations()
  private var versionIdentifiers: [String] = []
  /// The names of the open elements.
  private var path: [String] = []
  private var entity: EntityDeclaration?
  private var constraint: [String] = []
  private var compoundIndex: [String] = []
  private var fetchIndex: FetchIndex?
  private var hasModel = false
  private var error: ModelError?

  /// The model in the bytes of a file.
  static func model(in bytes: Data) throws(ModelError) -> Model {
    // The parser expands entities without saying so. A model has no document type, which alone can
    // declare any, and is UTF-8, so that the search cannot be misled.
    guard bytes.firstIndex(of: 0) == nil else { throw ModelError(.notAModel, name: "not UTF-8") }
    guard bytes.range(of: Data("<!DOCTYPE".utf8)) == nil else { throw ModelError(.documentType) }

    let reader = XMLModelReader()
    let parser = XMLParser(data: bytes)
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    let isWellFormed = parser.parse()
    if let error = reader.error { throw error }
    guard isWellFormed, parser.parserError == nil else { throw ModelError(.malformedXML) }
    guard reader.hasModel else { throw ModelError(.notAModel, name: "it has no <model>") }
    return try reader.declarations.model(versionIdentifiers: reader.versionIdentifiers)
  }

  private func start(_ element: inout XMLModelElement) throws(ModelError) {
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
      entity = EntityDeclaration(try element.entity(), line: element.line)
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
    case ("userInfo", "entry"):
      guard let key = element.text("key"), let value = element.text("value") else { return }
      entity?.add(userInfo: key, value, to: path.dropLast().last ?? "")
    default: break
    }
  }

  private func end(_ name: String) throws(ModelError) {
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

extension XMLModelReader: XMLParserDelegate {
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    var element = XMLModelElement(
      name: elementName, attributes: attributes, line: parser.lineNumber,
      entityName: entity?.entity.name)
    attempt(parser) { () throws(ModelError) in try start(&element) }
    path.append(elementName)
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    path.removeLast(path.isEmpty ? 0 : 1)
    attempt(parser) { () throws(ModelError) in try end(elementName) }
  }

  /// The parser goes on after most errors and may call the parse a success.
  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    attempt(parser) { () throws(ModelError) in
      throw ModelError(
        .malformedXML, line: parser.lineNumber, name: "\((parseError as NSError).code)")
    }
  }

  /// Does nothing after an error; on the first one, stops the parser.
  private func attempt(_ parser: XMLParser, _ step: () throws(ModelError) -> Void) {
    guard error == nil else { return }
    do throws(ModelError) {
      try step()
    } catch {
      self.error = error
      parser.abortParsing()
    }
  }
}
