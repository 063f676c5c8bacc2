# Completion of actio for bash. Commands, options, their values and the names of methods are those that the program prints,
# keys are those of the problem file.

_actio_commands() { "$1" --help | awk '/^Subcommands:/ { inside = 1; next } inside && /^$/ { exit } inside && /^  [a-z]/ { print $1 }'; }
_actio_options() { "$@" --help | grep -oE '^  (-[a-zA-Z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+'; }
_actio_values() { "$1" "$2" --help | sed -nE "s/^  (-[a-zA-Z],)?$3 [A-Z]+:\{([^}]*)\}.*/\2/p" | tr , ' '; }
_actio_methods() { "$1" list --json | grep -oE '"name":"[^"]*","summary"' | cut -d '"' -f 4; }
_actio_keys() { awk '/^\[[a-z.]+\]/ { gsub(/[][]|#.*| /, ""); table = $0 "." } /^\[\[/ { table = "" } table != "" && /^[a-z_-]+ *=/ { sub(/ *=.*/, "="); print table $0 }' "$1"; }

_actio() {
  local program=$1 word=$2 before=$3 command=${COMP_WORDS[1]} list='' begun=''
  [[ $program == */* && $(head -c 2 -- "$program" 2>/dev/null) == '#!' ]] && program=actio  # the script ./actio builds first
  [[ $word == '=' ]] && word=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    if [[ $word == -* ]]; then list=$(_actio_options "$program"); else list=$(_actio_commands "$program"); fi
  elif [[ $word == -* ]]; then
    list=$(_actio_options "$program" "$command")
  elif [[ $before == -m || $before == --methods || $word == method.name=* ||
    "${COMP_WORDS[*]:COMP_CWORD-2:3}" == *"method.name ="* ]]; then  # bash divides words at =
    begun=${word%"${word##*[,=]}"}
    list=$(_actio_methods "$program")
  elif ((COMP_CWORD == 2)) && [[ $command == explain ]]; then
    list=$(_actio_methods "$program")
  elif [[ $before == --* ]] && list=$(_actio_values "$program" "$command" "$before") && [[ -n $list ]]; then
    :
  elif ((COMP_CWORD == 2)) || [[ $before == -* ]]; then
    local unless=
    ((COMP_CWORD > 2)) || [[ $command == resume ]] || unless='!*.toml'
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -X "$unless" -- "$word"; compgen -d -- "$word")
    return
  elif [[ -f ${COMP_WORDS[2]} && ${COMP_WORDS[2]} == *.toml ]]; then
    compopt -o nospace
    list=$(_actio_keys "${COMP_WORDS[2]}")
  fi
  mapfile -t COMPREPLY < <(compgen -P "$begun" -W "$list" -- "${word#"$begun"}")
}
complete -F _actio actio
