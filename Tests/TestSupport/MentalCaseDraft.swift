/// The drafts of a mapping for the sample archive of flash cards.
package enum MentalCaseDraft {
  /// The draft as a file of some name.
  ///
  /// - Parameters:
  ///   - fileName: The name of the file.
  ///   - stripsPrefix: Whether the entities do without the prefix of their classes, "MT".
  /// - Returns: The whole text.
  package static func text(fileName: String, stripsPrefix: Bool) -> String {
    let prefixLine = stripsPrefix ? "stripPrefix: MT\n\n" : ""
    let prefix = stripsPrefix ? "" : "MT"
    return """
      # How archived objects become rows of a store: a mapping for archive-convert.
      #
      # Drafted from 1 archive: MentalCase.archive.
      # Unchanged, it yields the same store as a run without it. Edit it as needed, then run
      #
      #   archive-convert INPUT... --mapping \(fileName) -o STORE
      #
      # The comments say what was found: "in 3 of 4 objects" means that 3 of them have the key.

      \(prefixLine)classes:
        MTLibrary: \(prefix)Library
        MTFolder: \(prefix)Folder
        MTNote: \(prefix)Note
        # Read as values and collections, which need no entity: NSArray, NSDate,
        # NSDecimalNumberPlaceholder, NSMutableArray, NSMutableData, NSMutableString, NSSet,
        # NSURL, NSUUID.

      entities:
        # MTModelObject is a superclass of \(prefix)Library, \(prefix)Folder and \(prefix)Note. \
      For one table with\(stripsPrefix ? " the rows" : "")
        # \(stripsPrefix ? "" : "the rows ")of all of them, uncomment its lines and theirs with it as \
      parent:
        # \(prefix)ModelObject:
        #   abstract: true

        # 1 object of class MTLibrary, a subclass of MTModelObject
        \(prefix)Library:
          # parent: \(prefix)ModelObject
          complete: true
          attributes:
            \(inherited(1))
          relationships:
            folders: {to: \(prefix)Folder, toMany: true, ordered: true}  # array, in 1 of 1 object; 2 members

        # 3 objects of class MTFolder, a subclass of MTModelObject
        \(prefix)Folder:
          # parent: \(prefix)ModelObject
          complete: true
          attributes:
            \(inherited(3))
            isEditable: {type: boolean}  # boolean, in 3 of 3 objects
          relationships:
            # inverse of \(prefix)Folder.folders: the only member of 3 arrays holds its owner under
            # 'parent'
            parent: {to: \(prefix)Folder, toMany: false, inverse: folders}  # object, in 1 of 3 objects
            # inverse of \(prefix)Folder.parent
            folders: {to: \(prefix)Folder, toMany: true, ordered: true, inverse: parent}  \
      # array, in 3 of 3 objects; 1 member; some are empty
            # inverse of \(prefix)Note.container
            notes: {to: \(prefix)Note, toMany: true, ordered: true, inverse: container}  \
      # array, in 3 of 3 objects; 12 members

        # 12 objects of class MTNote, a subclass of MTModelObject
        \(prefix)Note:
          # parent: \(prefix)ModelObject
          complete: true
          attributes:
            \(inherited(12))
            text: {type: string}  # text, in 12 of 12 objects
            isEditable: {type: boolean}  # boolean, in 12 of 12 objects
            rank: {type: integer}  # whole number, in 12 of 12 objects
            ease: {type: double}  # real number, in 12 of 12 objects
            creationDate: {type: date}  # date, in 12 of 12 objects
            modificationDate: {type: date}  # date, in 12 of 12 objects
            price: {type: decimal}  # decimal number or nil, in 12 of 12 objects
            syncIdentifier: {type: uuid}  # UUID, in 12 of 12 objects
            link: {type: uri}  # URL or nil, in 12 of 12 objects
            sound: {type: binary}  # data or nil, in 12 of 12 objects
            sketch: {type: binary}  # data or nil, in 12 of 12 objects
          relationships:
            # inverse of \(prefix)Folder.notes: all 12 members of 3 arrays hold their owner under
            # 'container'
            container: {to: \(prefix)Folder, toMany: false, inverse: notes}  # object, in 12 of 12 objects
          collections:
            tags: {ordered: false, values: string}  \
      # set, in 12 of 12 objects; of text; some are empty
            hints: {ordered: true, values: string}  \
      # array, in 12 of 12 objects; of text; some are empty

      """
  }
  /// The lines of the attributes that all classes have, from their first column on.
  private static func inherited(_ count: Int) -> String {
    [
      "modelObjectClassVersion: {type: integer}  # whole number",
      "uniqueId: {type: string}  # text",
      "modelContext: {type: unknown}  # nil",
      "title: {type: string}  # text",
    ].map { "\($0), in \(count) of \(count) \(count == 1 ? "object" : "objects")" }
      .joined(separator: "\n      ")
  }
}
