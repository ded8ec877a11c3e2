# Puts the man page of swift-argument-parser's generator in order. It reads
#   stage=help   the help as JSON: for the default values, which the generator leaves out
#   stage=pages  a page for each subcommand: for their synopses
#   stage=page   the page itself, which it prints with
#                - a synopsis for each subcommand
#                - default values
#                - the environment, exit codes and examples where they are looked for
#                - the options that all subcommands share in one place only

function quoted(line) {
  sub(/^[^:]*: "/, "", line)
  sub(/",?$/, "", line)
  return line
}

function sentence(text) {
  sub(/\.$/, "", text)
  return text
}

# A list of entries that stand in one line, each a word and what it means: "0 all converted; 1 …".
function list(line, item,   count, entry, i, text) {
  if (line == "") return
  print ".Bl -tag -width 6n"
  count = split(line, entry, "; ")
  for (i = 1; i <= count; i++) {
    match(entry[i], /^[^ ]+/)
    print item " " substr(entry[i], 1, RLENGTH)
    text = substr(entry[i], RLENGTH + 2)
    print toupper(substr(text, 1, 1)) substr(text, 2) "."
  }
  print ".El"
}

# Keys come in the order of the alphabet: an argument's default value before its name, the
# arguments of a command before the command's name.
stage == "help" {
  if ($1 == "\"defaultValue\"") value = quoted($0)
  if ($1 == "\"preferredName\"") inName = 1
  if ($1 == "\"name\"" && inName) {
    if (value != "") { pending[quoted($0)] = value }
    inName = 0
  }
  if ($1 == "\"shouldDisplay\"") value = ""
  if ($1 == "\"commandName\"") {
    for (name in pending) { defaults[quoted($0), name] = pending[name]; delete pending[name] }
  }
  if ($1 == "\"defaultSubcommand\"") defaultCommand = quoted($0)
  next
}

stage == "pages" {
  if ($1 == ".Sh") inSynopsis = $2 == "SYNOPSIS"
  else if ($1 == ".Nm" && !inSynopsis) {
    gsub(/"/, "")
    if (program == "") program = $2
    command = $3
  } else if (inSynopsis && command == "") {
    if ($1 == ".Op") last = last $0 "\n"
  } else if (inSynopsis && command != "help" && $0 != ".Op Fl -version" && $0 != ".Op Fl -help") {
    if ($1 == ".Nm") {
      synopsis = synopsis ".Nm " program "\n"
      synopsis = synopsis (command == defaultCommand ? ".Op Cm " : ".Cm ") command "\n"
    } else synopsis = synopsis $0 "\n"
  }
  next
}

# From here on: the page itself.

FNR == 1 { command = program }

skipping == "section" { if ($1 != ".Sh") next; skipping = "" }
skipping == "list" { if ($1 == ".El") skipping = ""; next }
skipping == "item" { if ($1 !~ /^\.(It|El|Sh)$/) next; skipping = "" }

# Without it, groff calls the program one of BSD.
$1 == ".Dt" { print; print ".ds doc-volume General Commands Manual"; next }
$1 == ".Os" { print ".Os \"" program " " version "\""; next }
$1 == ".Nd" { gsub(/"/, ""); sub(/\.$/, "") }

$0 == ".Sh SYNOPSIS" {
  print
  printf "%s.Nm %s\n%s", synopsis, program, last
  skipping = "section"
  next
}

/^Environment: / { environment = sentence(substr($0, 14)); next }
$0 == "Examples:" { inExamples = 1; next }
inExamples && /^  / { examples[++exampleCount] = substr($0, 3); next }
inExamples && $1 ~ /^\./ { inExamples = 0 }
/^Exit codes: / { codes = sentence(substr($0, 13)); next }

$0 == ".Sh \"EXIT STATUS\"" {
  print ".Sh ENVIRONMENT"
  list(environment, ".It Ev")
  print
  list(codes, ".It")
  skipping = "section"
  next
}

$0 == ".It Em help" { skipping = "list"; next }
command != program && ($0 == ".It Fl -version" || $0 == ".It Fl h , -help") {
  skipping = "item"
  next
}

# A paragraph that has no text is left out.
$0 == "" || $0 == ".Pp" { paragraph = 1; next }
paragraph { if ($1 !~ /^\.(It|Bl|El|Sh)$/) print ".Pp"; paragraph = 0 }

$1 == ".It" && $2 == "Em" {
  command = $3
  print ".It Cm " command
  note = command == defaultCommand ? ".Cm " command "\nis the default and may be left out." : ""
  next
}

$1 == ".It" && $2 == "Fl" {
  name = ""
  for (i = 3; i <= NF; i++) if ($i ~ /^-/) name = substr($i, 2)
  note = ((command, name) in defaults) ? "(default: " defaults[command, name] ")" : ""
}

{ print }

/^[^.]/ && note != "" {
  if (note !~ /^\(/ || $0 !~ /\(default/) print note
  note = ""
}

END {
  print ".Sh EXAMPLES"
  for (i = 1; i <= exampleCount; i++) {
    if (examples[i] !~ /^ /) print ".Pp\n" examples[i] ":"
    else print ".Dl " substr(examples[i], 3)
  }
  print ".Sh SEE ALSO"
  print ".Xr sqlite3 1"
}
