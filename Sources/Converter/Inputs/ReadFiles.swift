import ArchiveReader
import Foundation
import Support

/// The files that a run reads: no output takes the place of one, or of a part of one.
///
/// Parts are the journals of a store, its folder of large data, and everything in a model or mapping
/// model that is a folder. Files are compared by their identity, whatever path or link leads to
/// them. What a directory holds and is no source in the end, such as the store of an earlier run, is
/// none of them.
package struct ReadFiles {
  /// An output of a run.
  package enum Output {
    case file(String)
    /// A database, which takes the place of journals, too.
    case store(String)
    /// A folder, which takes the place of one with everything in it.
    case folder(String)

    fileprivate var path: String {
      switch self {
      case .file(let path), .store(let path), .folder(let path): path
      }
    }
  }

  /// A file or folder that is read.
  private struct Entry {
    /// The path of the file or folder, or of what it is a part of.
    var path: String
    var isPart: Bool
    /// The input that it is, or is a part of: nil if it is none, but a model, say.
    var input: InputFinder.Input?
  }

  private let inputs: [InputFinder.Input]
  private let definitionPaths: [String]
  private let opener: SourceOpener
  /// The files and folders that the definitions are, and everything in those.
  private lazy var definitions = Self.entries(ofDefinitions: definitionPaths)
  /// The files and folders that the inputs are, and the parts of those.
  private lazy var sources = Self.entries(of: inputs)
  /// Folders that nothing may be written into, by their paths; nil for those that may be.
  private var checkedFolders: [String: Entry?] = [:]

  /// Takes note of what is read.
  ///
  /// - Parameters:
  ///   - inputs: The inputs.
  ///   - definitions: The paths of all else: models, mapping models, mappings, templates.
  ///   - opener: What opens the inputs.
  init(
    _ inputs: [InputFinder.Input], definitions: [String], _ opener: SourceOpener = SourceOpener()
  ) {
    (self.inputs, definitionPaths, self.opener) = (inputs, definitions, opener)
  }

  /// Takes note of the inputs, the mapping and the models of a run.
  init(_ inputs: [InputFinder.Input], _ options: ConversionOptions) {
    self.init(inputs, definitions: options.definitionPaths, options.sourceOpener)
  }

  /// Takes note of files and folders that are read whole, whatever they are.
  package init(_ paths: [String]) { self.init([], definitions: paths) }

  /// Refuses an output that would take the place of what is read.
  ///
  /// - Throws: `StoreError` with the code `isInput`.
  package mutating func check(_ output: Output) throws(StoreError) {
    let path = output.path
    guard let place = try? OutputDestination(path) else { return }
    if let entry = folder(place.folder) {
      throw StoreError(.isInput, path: path, reason: entry.path)
    }
    // A journal would change what the database next to it says.
    if let name = StoreSideFiles.database(ofJournal: place.name),
      let database = FileIdentity(path: place.folder + name), let entry = entry(database),
      isRead(entry)
    {
      throw StoreError(.isInput, path: path, reason: entry.path)
    }
    try check(path)
    switch output {
    case .file: break
    case .store:
      for suffix in StoreSideFiles.journalSuffixes { try check(place.path + suffix) }
    case .folder:
      for inside in FolderContents(of: place.path).paths { try check(inside) }
    }
  }

  /// Refuses a path that leads to what is read.
  private mutating func check(_ path: String) throws(StoreError) {
    guard let identity = FileIdentity(path: path), let entry = entry(identity), isRead(entry)
    else { return }
    throw StoreError(.isInput, path: path, reason: entry.isPart ? entry.path : "")
  }

  private mutating func entry(_ identity: FileIdentity) -> Entry? {
    if let definition = definitions[identity] { return definition }
    return sources[identity]
  }

  /// Finds out if what was found in a directory is a source.
  private func isRead(_ entry: Entry) -> Bool {
    guard let input = entry.input, !input.isNamed else { return true }
    do throws(ArchiveError) {
      _ = try ArchiveFile(path: input.path, opener)
      return true
    } catch {
      return error.code != .notAnArchive
    }
  }

  /// Finds the folder that is read whole, of all that a folder is in.
  ///
  /// - Parameter path: The path of the folder, which may still have to be made.
  /// - Returns: The folder; nil if there is none.
  private mutating func folder(_ path: String) -> Entry? {
    if let known = checkedFolders[path] { return known }
    // The first folder that is there.
    var folder = path.isEmpty ? "." : path
    while FileIdentity(path: folder) == nil, folder != ".", folder != "/" {
      let parent = parentFolder(of: folder)
      folder = parent.isEmpty ? "." : parent
    }
    var found: Entry?
    var next = resolved(folder) ?? folder
    while found == nil, !next.isEmpty {
      // Of what inputs are, only folders for large data are folders.
      let mayBeRead =
        !definitionPaths.isEmpty || StoreSideFiles.isSupportFolder(fileName(of: next))
      if mayBeRead, let identity = FileIdentity(path: next), let entry = entry(identity),
        isRead(entry)
      {
        found = entry
      }
      next = next == "/" ? "" : parentFolder(of: next)
    }
    checkedFolders[path] = .some(found)
    return found
  }

  // MARK: Entries

  /// The inputs, and the parts of those that are databases.
  private static func entries(of inputs: [InputFinder.Input]) -> [FileIdentity: Entry] {
    var entries: [FileIdentity: Entry] = [:]
    func add(_ path: String, _ entry: Entry) {
      guard let identity = FileIdentity(path: path) else { return }
      // What was named is read, whatever it is.
      if entries[identity]?.input?.isNamed != true || entry.input == nil {
        entries[identity] = entry
      }
    }
    for input in inputs {
      let path = input.nesting?.file ?? input.path
      add(path, Entry(path: path, isPart: false, input: input))
      guard !input.isNoDatabase else { continue }
      let parts = StoreSideFiles(of: path)
      for part in parts.journals + [parts.supportFolder] {
        add(part, Entry(path: path, isPart: true, input: input))
      }
    }
    return entries
  }

  /// Models and other definitions, with what is in them or next to them.
  private static func entries(ofDefinitions paths: [String]) -> [FileIdentity: Entry] {
    var entries: [FileIdentity: Entry] = [:]
    func add(_ path: String, partOf whole: String?) {
      guard let identity = FileIdentity(path: path), entries[identity] == nil || whole == nil
      else { return }
      entries[identity] = Entry(path: whole ?? path, isPart: whole != nil)
    }
    for path in paths {
      guard let status = fileStatus(path) else { continue }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      var packages = ModelFileList.packages(around: path)
      if isFolder, let list = try? ModelFileList(path) {
        packages += list.packages
        for file in list.versions.map(\.file.path) + list.mappingModels {
          add(file, partOf: nil)
        }
      } else if !isFolder {
        add(path, partOf: nil)
        let parts = StoreSideFiles(of: path)
        for part in parts.journals + [parts.supportFolder] { add(part, partOf: path) }
      }
      for package in packages {
        add(package, partOf: package == path ? nil : package)
        for inside in FolderContents(of: package).paths { add(inside, partOf: package) }
      }
    }
    return entries
  }
}
