import ArgumentParser
import Converter

/// The option that says what becomes of dictionaries, for all commands that read archives by
/// themselves.
struct DictionaryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What becomes of dictionaries with text keys: rows of an entity with these keys as columns, or "
        + "pairs of keys and values. (default: auto, rows if the keys are fields; with a mapping, a "
        + "model or hooks, only what the mapping lists)",
      valueName: "auto|records|pairs"))
  var dictionaries: ConversionOptions.DictionaryForm?
}

extension ConversionOptions.DictionaryForm: ExpressibleByArgument {}
