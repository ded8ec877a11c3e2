import Foundation
import TestSupport
import Testing

/// Completions, as the shells themselves make them from the installed scripts.
@Suite("Completions", .enabled(if: Shell.areInstalled, "bash, zsh and fish are not all installed"))
struct CompletionTests {
  @Test(
    "need no subcommand: the options of a run, their values, and files come at once",
    arguments: Shell.allCases,
    [
      ("convert notes.archive --lay", "--layout"),
      ("convert notes.archive --layout rel", "relational"),
      ("convert notes.archive -o no", "notes.archive"),
      ("convert notes.archive no", "notes.archive"),
      ("convert no", "notes.archive"),
      ("convert --lay", "--layout"),
      ("convert -q notes.archive --dat", "--datasette"),
      ("convert run notes.archive --lay", "--layout"),
      ("convert mig", "migrate"),
      ("convert migrate --mapping-", "--mapping-model"),
      ("convert check --accept", "--accept-model-drift"),
    ])
  func needNoSubcommand(shell: Shell, line: (text: String, last: String)) throws {
    let folder = try TemporaryFolder()
    try folder.write(Data(), to: "notes.archive")
    #expect(try shell.complete(line.text, in: folder) == [line.last])
  }

  @Test("offer subcommands and files where either can stand", arguments: [Shell.bash, .fish])
  func offerSubcommands(shell: Shell) throws {
    let folder = try TemporaryFolder()
    try folder.write(Data(), to: "infer.archive")
    #expect(try shell.complete("convert inf", in: folder) == ["infer", "infer.archive"])
  }
}

enum Shell: String, CaseIterable, CustomTestStringConvertible {
  case bash, zsh, fish

  var testDescription: String { rawValue }

  var path: String? {
    ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(rawValue)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// A program for the shell that prints the last word of a line as Tab completes it.
  var driver: String {
    switch self {
    case .bash:
      """
      source _convert
      read -ra COMP_WORDS <<< "$1"
      [[ "$1" == *" " ]] && COMP_WORDS+=("")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE="$1" COMP_POINT=${#1}
      _convert convert "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    case .zsh:
      """
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PS1= PS2= RPS1=; unsetopt zle_bracketed_paste beep; fpath=($PWD \\$fpath)
      autoload -Uz compinit; compinit -D -u; bindkey '^I' complete-word
      show() { print -r -- \\"<\\$BUFFER>\\"; BUFFER=; zle accept-line }
      zle -N show; bindkey '^X' show; print READY\\$((1))"
      zpty -r -m shell output '*READY1*'
      zpty -n -w shell "$1"$'\\t\\x18'
      zpty -r -m shell output '*<*>*'
      words=(${(z)${${output##*<}%%>*}})
      print -r -- "$words[-1]"
      """
    case .fish: "source _convert; complete -C $argv[1] | string split -f1 \\t"
    }
  }

  /// The words that a line can end with, sorted.
  func complete(_ line: String, in folder: TemporaryFolder) throws -> [String] {
    let path = try #require(path)
    let script = try Program.run(["--generate-completion-script", rawValue])
    try #require(script.status == 0)
    try folder.write(Data(script.output.utf8), to: "_convert")
    let start =
      switch self {
      case .bash: ["--norc", "-c", driver, "bash"]
      case .zsh: ["-f", "-c", driver, "zsh"]
      case .fish: ["--no-config", "-c", driver]
      }
    let result = try Python.run(path, start + [line], in: folder)
    return result.output.split(separator: "\n").map(String.init).sorted()
  }

  static let areInstalled = allCases.allSatisfy { $0.path != nil }
}
