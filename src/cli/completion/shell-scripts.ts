/** The shells that can complete commands. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/**
 * The script that a shell loads. It passes the words to `muster __complete`, which knows the commands of the installed
 * version, so a script never becomes outdated. The answer has one candidate per line, with a description after a tab;
 * `:files` asks the shell to complete file names.
 */
export const SHELL_SCRIPTS = {
  bash: `# muster completion for bash. Load it with: eval "$(muster completion bash)"
_muster() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default 2>/dev/null
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _muster muster
`,
  zsh: `#compdef muster
# muster completion for zsh. Load it after compinit with: eval "$(muster completion zsh)"
_muster() {
  local line files=0
  local -a found
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=1
    else
      line=\${line//:/\\\\:}
      found+=("\${line/$'\\t'/:}")
    fi
  done < <("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#found} )) && _describe -V 'muster' found
  (( files )) && _files
}
if [[ \${funcstack[1]} == _muster ]]; then
  _muster "$@"
else
  compdef _muster muster
fi
`,
  fish: `# muster completion for fish. Load it with: muster completion fish | source
function __muster_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (command $words[1] __complete $words[2..-1] 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c muster -f -a '(__muster_complete)'
`,
} as const satisfies Record<Shell, string>
