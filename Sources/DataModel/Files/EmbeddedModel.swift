import ArchiveReader
import Foundation

/// A model that a mapping model's source file, `xcmapping.xml`, embeds.
///
/// The file is an XML store of Core Data. Its object of type `XDDEVMAPPINGMODEL` has the paths of
/// the source and the destination model, and both models as they were when the mapping was made:
/// archives in the form of Xcode 3 (see `ArchivedModel.XDPMReader`), in base64.
package struct EmbeddedModel: Sendable {
  /// The role of one of the two models of a mapping.
  package enum Role: String, Sendable, CaseIterable {
    /// The model that the mapping leads from.
    case source
    /// The model that it leads to.
    case destination
  }

  /// The role of the model.
  package let role: Role
  /// The name of the version that it was: the last part of its path; nil if there is no path.
  package let name: String?
  /// The archive; nil if it is not base64.
  package let archive: Data?

  /// The models in the bytes of a file, in the order of the file.
  ///
  /// - Parameter bytes: The XML; the document type is not fetched.
  /// - Returns: The models.
  /// - Throws: `ModelError` without a path; with the code `missingModel` if there are none.
  package static func models(in bytes: Data) throws(ModelError) -> [EmbeddedModel] {
    var scanner = Scanner()
    var mistake: ModelError?
    try ModelError.readingXML(bytes) { event, line in
      do throws(ModelError) {
        try scanner.receive(event, line)
      } catch {
        mistake = error
      }
      return mistake == nil
    }
    if let mistake { throw mistake }
    guard !scanner.models.isEmpty else { throw ModelError(.missingModel) }
    return scanner.models
  }
}

extension EmbeddedModel {
  /// Collects the attributes that hold models and their paths.
  private struct Scanner {
    private static let objectType = "XDDEVMAPPINGMODEL"
    /// The greatest number of models in a file that is not called hostile: real ones hold two.
    private static let maxModels = 64

    var models: [EmbeddedModel] = []
    private var depth = 0
    private var isInMappingModel = false
    /// The name of the attribute that is read, in small letters.
    private var attribute: String?
    private var text: [UInt8] = []
    private var texts: [String: [UInt8]] = [:]

    mutating func receive(
      _ event: XMLDocumentReader.Event, _ line: Int
    ) throws(ModelError) {
      switch event {
      case .start(let name, let attributes):
        if depth == 0, name != "database" {
          throw ModelError(.notAModel, line: line, name: "it is <\(name)>")
        }
        if depth == 1 {
          isInMappingModel =
            name == "object" && attributes["type"]?.uppercased() == Self.objectType
        } else if depth == 2, isInMappingModel, name == "attribute" {
          attribute = attributes["name"]?.lowercased()
          text = []
        }
        depth += 1
      case .text(let bytes):
        if attribute != nil { text += bytes }
      case .end:
        depth -= 1
        if depth == 2, let attribute {
          texts[attribute] = text
          (self.attribute, text) = (nil, [])
        } else if depth == 1, isInMappingModel {
          try finishObject()
        }
      }
    }

    private mutating func finishObject() throws(ModelError) {
      for role in Role.allCases {
        guard let archive = texts["\(role.rawValue)modeldata"] else { continue }
        guard models.count < Self.maxModels else { throw ModelError(.tooMany, name: "models") }
        let path = texts["\(role.rawValue)modelpath"].map { String(decoding: $0, as: UTF8.self) }
        models.append(
          EmbeddedModel(
            role: role, name: path.flatMap(Self.versionName),
            archive: Data(base64Encoded: Data(archive), options: .ignoreUnknownCharacters)))
      }
      texts = [:]
      isInMappingModel = false
    }

    /// The last part of a path, without its ending.
    private static func versionName(_ path: String) -> String? {
      let last = path.split(separator: "/").last.map(String.init) ?? ""
      let name = last.trimmingCharacters(in: .whitespacesAndNewlines)
      return name.isEmpty ? nil : ModelFile.versionName(name)
    }
  }
}
