import { stepsOf, type Completed } from './completed.js'
import { quoted } from './quoted.js'

type Words = readonly Readonly<{ name: string }>[]

const line = (path: string, words: Words): string =>
  `    ${quoted(path)}) words=${quoted(words.map(({ name }) => name).join(' '))} ;;`

/** Completion for bash: commands and options; files where neither is meant. */
export const bashCompletion = (
  all: readonly Completed[],
): string => `# source <(account-import completion bash)
_account_import() {
  local at='' words='' word current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${stepsOf(all).map(quoted).join(' | ')}) at="\${at:+$at }$word" ;;
    esac
  done
  if [[ $current == -* ]]; then
    case "$at" in
${all.map(({ path, options }) => line(path, options)).join('\n')}
    esac
  else
    case "$at" in
${all
  .filter(({ commands }) => commands.length > 0)
  .map(({ path, commands }) => line(path, commands))
  .join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _account_import account-import
`
