import ArchiveReader
import ArgumentParser
import Converter
import Migration
import Support

/// A kind of file that a command may be given in place of another.
enum GivenFile {
  case archive
  case store
  case model
  case mappingModel

  /// The kind of a file, as its name or its bytes tell it; nil if it is of none of them.
  init?(_ path: String) {
    guard FileIdentity(path: path) != nil else { return nil }
    if ModelFile.endings.contains(where: withoutLastSlashes(path).hasSuffix) {
      self = .model
    } else if MappingModelFile.isMappingModel(path) {
      self = .mappingModel
    } else if (try? StoreReports(path: path)) != nil {
      self = .store
    } else if (try? KeyedArchive(contentsOf: path)) != nil {
      self = .archive
    } else {
      return nil
    }
  }

  /// The kind of the file and the commands for it, in words that follow its path.
  var words: String {
    switch self {
    case .archive: "is a keyed archive: convert it with 'archive-convert run', or see 'inspect'"
    case .store:
      "is a store that archive-convert wrote: 'archive-convert report' and 'verify' are for it"
    case .model: "is a Core Data model: give it with --model, or see 'archive-convert model'"
    case .mappingModel:
      "is a mapping model: give it to 'archive-convert migrate' with --mapping-model, or see 'check'"
    }
  }
}

extension Console {
  /// Prints why a file is of no use to a command: that it is of another kind, if it is.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - expected: The kinds that the command is for.
  ///   - messages: The errors where the file is of one of those, or of no kind that is known.
  static func refuse(_ path: String, expected: Set<GivenFile>, _ messages: [String]) {
    if let kind = GivenFile(path), !expected.contains(kind) {
      complain("\(path): \(kind.words)")
    } else {
      for message in messages { complain(message) }
    }
  }

  /// Prints why inputs could not be converted.
  static func complain(of error: ConversionError) {
    let path: String? =
      switch error {
      case .rejected(let path, let error) where error.code == .notAnArchive: path
      case .allRejected(let errors) where errors.count == 1: errors[0].path
      case .noArchive(let search) where search.inputs.count == 1: search.inputs[0]
      default: nil
      }
    refuse(path ?? "", expected: [.archive], error.messages)
  }
}

/// The treatment of an existing file at the path of a new one.
enum ExistingFile: String, CaseIterable, ExpressibleByArgument {
  /// The command ends, and nothing is written.
  case fail
  /// The new file takes its place.
  case replace
}
