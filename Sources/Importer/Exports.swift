// The public types of models and mappings belong to the interface of this module: whoever writes
// hooks, or runs conversions, imports `Importer` alone. The compiler sees them in the files of this
// module, too.
@_exported import DataModel
@_exported import Mappings
