import { E } from '@account-import/core/adapter-kit'
import type { Command } from 'commander'
import { oneOf } from '../arguments.js'
import { type CliContext, leafCommand } from '../command.js'

/** A possible word, and its purpose. */
type Word = Readonly<{ name: string; about: string }>

/** The possible words after a command: `path` is its words, empty for the program itself. */
type Completed = Readonly<{ path: string; commands: readonly Word[]; options: readonly Word[] }>

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

const optionsOf = (command: Command): readonly Word[] => [
  ...command.options
    .filter(({ hidden }) => !hidden)
    .flatMap(({ long, short, description: about }) =>
      [long, short].flatMap((name) => (name == null ? [] : [{ name, about }])),
    ),
  { name: '--help', about: 'show how the command is used' },
]

/** The commands of a program, each with what may follow it. */
const completedOf = (command: Command, path = ''): readonly Completed[] => {
  const commands = command.commands.map((child) => ({
    name: child.name(),
    about: firstLine(child.summary() || child.description()),
  }))
  const below = command.commands.flatMap((child) => completedOf(child, `${path} ${child.name()}`.trim()))
  return [{ path, commands, options: optionsOf(command) }, ...below]
}

/** Each command as `<the command that it belongs to> <its name>`; those of the program begin with a blank. */
const stepsOf = (all: readonly Completed[]): readonly string[] =>
  all.flatMap(({ path, commands }) => commands.map(({ name }) => `${path} ${name}`))

/** A text as one word of bash and zsh. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

type Case = (path: string, words: readonly Word[]) => string

/** The branches of a `case` over commands: what may follow each. Nothing where no command may. */
const casesOf = (all: readonly Completed[], kind: 'commands' | 'options', caseOf: Case): string =>
  all
    .filter((completed) => completed[kind].length > 0)
    .map((completed) => caseOf(completed.path, completed[kind]))
    .join('\n')

const bashCase: Case = (path, words) =>
  `    ${quoted(path)}) words=${quoted(words.map(({ name }) => name).join(' '))} ;;`

/** Completion for bash: commands and options; files where neither is meant. */
const bashCompletion = (all: readonly Completed[]): string => `# source <(account-import completion bash)
_account_import() {
  local at='' words='' word current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${stepsOf(all).map(quoted).join(' | ')}) at="\${at:+$at }$word" ;;
    esac
  done
  if [[ $current == -* ]]; then
    case "$at" in
${casesOf(all, 'options', bashCase)}
    esac
  else
    case "$at" in
${casesOf(all, 'commands', bashCase)}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _account_import account-import
`

const zshCase: Case = (path, words) =>
  `    (${quoted(path)}) found=(${words.map(({ name, about }) => quoted(`${name}:${about}`)).join(' ')}) ;;`

/** Completion for zsh: commands and options with what they are for; files where neither is meant. */
const zshCompletion = (all: readonly Completed[]): string => `#compdef account-import
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
${casesOf(all, 'options', zshCase)}
    esac
    _describe -o option found
  else
    case "$at" in
${casesOf(all, 'commands', zshCase)}
    esac
    if (( $#found )); then _describe command found; else _files; fi
  fi
}
if [[ $funcstack[1] == _account-import ]]; then _account_import "$@"; else compdef _account_import account-import; fi
`

/** A text as one word of fish. */
const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

const named = (name: string): string =>
  name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`

const linesOf = ({ path, commands, options }: Completed): readonly string[] => {
  const here = `complete -c account-import -n ${fishQuoted(`test (__account_import_at) = ${fishQuoted(path)}`)}`
  return [
    ...commands.map(({ name, about }) => `${here} -f -a ${name} -d ${fishQuoted(about)}`),
    ...options.map(({ name, about }) => `${here} ${named(name)} -d ${fishQuoted(about)}`),
  ]
}

/** Completion for fish: commands and options with what they are for; files where neither is meant. */
const fishCompletion = (all: readonly Completed[]): string => `# account-import completion fish | source
function __account_import_at
    set -l at
    for word in (commandline -opc)[2..-1]
        switch "$at $word"
            case ${stepsOf(all).map(fishQuoted).join(' ')}
                set at (string trim "$at $word")
        end
    end
    echo "$at"
end
${all.flatMap(linesOf).join('\n')}
`

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const
const shells = ['bash', 'zsh', 'fish'] as const

const about = `Print a script with which a shell completes commands and options.
Load it where the shell starts, for the program as it is installed on the PATH (npx completes nothing).`

/** `completion bash|zsh|fish` */
export const make = ({ finish }: CliContext): Command => {
  const command = leafCommand('completion', about).argument('<shell>', shells.join(', '), oneOf(shells))
  return command.action((shell: (typeof shells)[number]) => {
    const script = scripts[shell](completedOf(command.parent ?? command))
    finish(E.right({ json: { shell, script }, result: script.trimEnd() }))
  })
}
