export const SHELLS = ['bash', 'zsh'] as const;

/** The script puts this before the typed words to ask for candidates. */
export const ASKS = '--complete';

// Bash splits words at = and :, so they are joined again, and candidates lose what is before the last of them. Read
// line by line: the shell would expand a name such as * in $(...), and the bash of macOS (3.2) has no mapfile.
const BASH = `# Completion of retake in bash: source <(retake completion bash)
_retake_completion() {
  local IFS=$'\\n' word last='' typed=() start
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    word="\${word//\\\\/}"; word="\${word#[\\"\\']}"
    if [[ \${#typed[@]} -gt 0 && ( $word == [=:] || $last == [=:] ) ]]
    then typed[\${#typed[@]}-1]+="$word"
    else typed+=("$word")
    fi
    last="$word"
  done
  word="\${typed[\${#typed[@]}-1]}"; start="\${word%"\${word##*[=:]}"}"
  COMPREPLY=()
  while read -r word; do COMPREPLY+=("\${word#"$start"}"); done < <("$1" ${ASKS} "\${typed[@]}" 2>/dev/null)
  if [[ \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null || true; fi
}
complete -o filenames -F _retake_completion retake
`;

const ZSH = `#compdef retake
# Completion of retake in zsh: retake completion zsh > FOLDER/_retake, where FOLDER is in fpath
_retake() {
  local -a found
  found=("\${(@f)$("\${words[1]}" ${ASKS} "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  compadd -S '' -- \${(M)found:#*[/=]}
  compadd -- \${found:#*[/=]}
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then _retake "$@"; else compdef _retake retake; fi
`;

export function completionScript(shell: (typeof SHELLS)[number]): string {
  return shell === 'zsh' ? ZSH : BASH;
}
