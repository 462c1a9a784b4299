#!/usr/bin/env bash
# Makes the man page s2v.1 from what the program says of itself: man_page.sh PROGRAM FILE
#
# A page's part is a command: its line of help, how it is used, its options, what is said below them.
set -eu -o pipefail
program=$1

# part COMMAND...: the same in roff; then those of its subcommands
part() {
  local text
  text=$("$program" "$@" --help)
  if [ $# -eq 0 ]; then
    printf '.SH DESCRIPTION\n'
  else
    printf '.SH "S2V %s"\n' "${*^^}"
  fi
  awk '
    # Text as it is: no line is a request, no blank line doubles.
    function roff(text) { gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text); return text ~ /^[.\x27]/ ? "\\&" text : text }
    /^Usage: / { print ".PP\n.B " roff(substr($0, 8)); next }
    /^(Positionals|Options|Parameters|Subcommands):$/ { print ".SS " substr($0, 1, length($0) - 1); listing = 1; next }
    /^ *-h,--help / || /^$/ { next }
    listing && substr($0, 1, 30) ~ /^ *$/ { sub(/^ +/, ""); print roff($0); next }
    listing && /^  / {  # the name, then its help from column 31 on, or below where the name is long
      name = substr($0, 3)
      help = length($0) > 30 && substr($0, 29, 2) ~ /^ *$/ ? substr($0, 31) : ""
      if (help != "") { name = substr($0, 3, 27); sub(/ +$/, "", name) }
      print ".TP\n.B " roff(name); if (help != "") print roff(help); next }
    { print (listing ? ".SS Notes\n" : broken ? ".br\n" : "") roff($0); broken = 1; listing = 0 }' <<<"$text"
  for command in $(awk '/^Subcommands:/ { on = 1; next } /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }' <<<"$text"); do
    part "$@" "$command"
  done
}

{
  printf '.TH S2V 1 "" "%s"\n' "$("$program" --version | cut -d ' ' -f 1-2)"
  printf '.SH NAME\ns2v \\- sentence embeddings and search inside SQLite\n.SH SYNOPSIS\n.B s2v\n.I COMMAND\n[\\fIOPTION\\fR]...\n'
  part
  printf '.SH SEE ALSO\n.BR sqlite3 (1),\n/usr/share/doc/sqlite\\-s2v/docs\n'
} >"$2"
