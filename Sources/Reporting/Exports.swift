// A report tells what imports and verifications found: whoever reads reports has their types with
// it.
@_exported import Importer
