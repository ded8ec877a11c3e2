// A converter with hooks in Swift for the notes: what `make bench` measures hooks with.

import ConvertCommand
import Importer

ConvertCommand.main(extensions: ImportExtensions(hooks: [Library.self, Folder.self, Note.self]))
