// The public types of models, mappings, policies and stores belong to the interface of this module:
// whoever writes hooks or policies imports `Importer` alone. The compiler sees them in the files of
// this module, too.
@_exported import CoreDataStores
@_exported import DataModel
@_exported import Mappings
@_exported import Policies
@_exported import SQLite
