import { stepsOf, type Completed } from './completed.js'

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

const named = (name: string): string =>
  name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`

const linesOf = ({ path, commands, options }: Completed): readonly string[] => {
  const here = `complete -c account-import -n ${quoted(`test (__account_import_at) = ${quoted(path)}`)}`
  return [
    ...commands.map(({ name, about }) => `${here} -f -a ${name} -d ${quoted(about)}`),
    ...options.map(({ name, about }) => `${here} ${named(name)} -d ${quoted(about)}`),
  ]
}

/** Completion for fish: commands and options with what they are for; files where neither is meant. */
export const fishCompletion = (
  all: readonly Completed[],
): string => `# account-import completion fish | source
function __account_import_at
    set -l at
    for word in (commandline -opc)[2..-1]
        switch "$at $word"
            case ${stepsOf(all).map(quoted).join(' ')}
                set at (string trim "$at $word")
        end
    end
    echo "$at"
end
${all.flatMap(linesOf).join('\n')}
`
