import type { SHELLS } from './candidates.ts';

/** The word before what is typed, for a shell that asks what the last word can become. */
export const ASKS = '--complete';

const BASH = `# Completion of retake in bash: source <(retake completion bash)
_retake_completion() {
  local IFS=$'\\n'
  COMPREPLY=($("$1" ${ASKS} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o filenames -F _retake_completion retake
`;

const ZSH = `#compdef retake
# Completion of retake in zsh: retake completion zsh > FOLDER/_retake, where FOLDER is in fpath
_retake() {
  local -a found
  found=("\${(@f)$("\${words[1]}" ${ASKS} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -S '' -- \${(M)found:#*/}
  compadd -- \${found:#*/}
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then _retake "$@"; else compdef _retake retake; fi
`;

/** What a shell reads to complete the commands, options and files of the program. */
export function completionScript(shell: (typeof SHELLS)[number]): string {
  return shell === 'zsh' ? ZSH : BASH;
}
