// Values, errors and limits are of every source: whoever reads archives has them with the reader.
@_exported import GraphCore
