# Completion of actio for fish. Commands, options and the names of methods are those that the program prints.

function __actio_commands
    actio --help | awk '/^Subcommands:/ { inside = 1; next } inside && /^$/ { exit } inside && /^  [a-z]/ { name = $1; sub(/^ +[^ ]+ +/, ""); print name "\t" $0 }'
end
function __actio_options
    set -l words (commandline -opc)
    actio $words[2] --help | grep -oE '^  (-[a-zA-Z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+'
end
function __actio_methods
    actio list --json | grep -oE '"name":"[^"]*","summary"' | cut -d '"' -f 4
end
complete -c actio -n __fish_use_subcommand -f -a '(__actio_commands)'
complete -c actio -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -f -a '(__actio_options)'
complete -c actio -n '__fish_seen_subcommand_from explain' -f -a '(__actio_methods)'
complete -c actio -n '__fish_seen_subcommand_from compare advise' -s m -l methods -x -a '(__fish_append , (__actio_methods))'
complete -c actio -n 'string match -q "method.name=*" (commandline -ct)' -f -a 'method.name=(__actio_methods)'
