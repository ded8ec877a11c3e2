// The public types of models, mappings and policies belong to the interface of this module:
// whoever writes hooks or policies imports `Importer` alone. The compiler sees them in the files of
// this module, too. So do those of the reader: the values that coders give, and how strict they are.
@_exported import ArchiveReader
@_exported import DataModel
@_exported import Mappings
@_exported import Stores
