import Foundation

/// A completion script of the parser's, changed so that the default subcommand need not be typed.
///
/// The parser offers the options and files of a subcommand only after its name.
struct CompletionScript {
  /// The script, for bash, zsh or fish to read.
  let text: String

  /// Changes a script: adds lines after the first of some that only one shell's script has.
  ///
  /// - Parameters:
  ///   - script: The parser's script.
  ///   - commands: The names of all subcommands.
  ///   - standard: The name of the default subcommand.
  init(_ script: String, commands: [String], standard: String) {
    // Words after which the command line is not the default subcommand's.
    let others = (commands + ["help", "--version", "--help", "-h"]).joined(separator: "|")
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func add(after line: String, _ addition: (String) -> String) {
      guard let index = lines.firstIndex(where: { $0.contains(line) }) else { return }
      lines.insert(addition(lines[index]), at: index + 1)
    }

    // bash
    add(after: "local -a unparsed_words=(\"${COMP_WORDS[@]:1:${COMP_CWORD}}\")") { _ in
      """
          case "${unparsed_words[0]}" in
          \(others)) ;;
          *)
              if [[ "${COMP_CWORD}" -gt 1 || "${unparsed_words[0]}" == -* ]]; then
                  unparsed_words=(\(standard) "${unparsed_words[@]}")
              fi
              ;;
          esac
      """
    }
    add(after: "# Offer subcommand completions") { _ in
      "        COMPREPLY+=($(compgen -f -- \"${cur}\"))"
    }

    // zsh
    add(after: "unsetopt aliases banghist") { _ in
      """
          if [[ "${words[2]}" != (\(others)) && ( CURRENT -gt 2 || "${words[2]}" == -* ) ]]; then
              words=("${words[1]}" \(standard) "${(@)words[2,-1]}")
              ((CURRENT++))
          fi
      """
    }
    add(after: "_describe -V subcommand subcommands && ret=0") { _ in
      "        _files && ret=0"
    }

    // fish
    add(after: "set -l unparsed_tokens (") { _ in
      """
          set -l first_word $unparsed_tokens[2] (commandline -ct)
          if not string match -qr -- '^(\(others))$' "$first_word[1]"
              if set -q unparsed_tokens[2]; or string match -q -- '-*' "$first_word[1]"
                  set unparsed_tokens $unparsed_tokens[1] \(standard) $unparsed_tokens[2..]
              end
          end
      """
    }
    let standardName = " -fa '\(standard)'"
    add(after: standardName) { line in
      line.range(of: standardName).map { line[..<$0.lowerBound] + " -F" } ?? ""
    }
    text = lines.joined(separator: "\n")
  }
}
