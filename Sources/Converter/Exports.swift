// Whoever runs conversions has the types of their options and reports with them.
@_exported import CoreDataStores
@_exported import Importer
@_exported import Migration
@_exported import Reporting
@_exported import Stores
@_exported import Verification
