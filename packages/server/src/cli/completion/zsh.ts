import { stepsOf, type Completed } from './completed.js'
import { quoted } from './quoted.js'

type Words = Completed['commands']

const line = (path: string, words: Words): string =>
  `    (${quoted(path)}) found=(${words.map(({ name, about }) => quoted(`${name}:${about}`)).join(' ')}) ;;`

/** Completion for zsh: commands and options with what they are for; files where neither is meant. */
export const zshCompletion = (all: readonly Completed[]): string => `#compdef account-import
# source <(account-import completion zsh), after compinit
_account_import() {
  local at='' word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${stepsOf(all).map(quoted).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$at" in
${all.map(({ path, options }) => line(path, options)).join('\n')}
    esac
    _describe -o option found
  else
    case "$at" in
${all
  .filter(({ commands }) => commands.length > 0)
  .map(({ path, commands }) => line(path, commands))
  .join('\n')}
    esac
    if (( $#found )); then _describe command found; else _files; fi
  fi
}
if [[ $funcstack[1] == _account-import ]]; then _account_import "$@"; else compdef _account_import account-import; fi
`
