// A converter of one's own for the library of Mental Case: the command line of `convert`, with the
// hooks of this folder. Documentation/hooks.md walks through it.

import ConvertCommand
import Importer

ConvertCommand.main(
  extensions: ImportExtensions(hooks: [MTLibrary.self, MTFolder.self, MTNote.self]))
