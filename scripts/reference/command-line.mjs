import { exampleService } from '../../packages/cli/dist/kit/command.js'
import { makeProgram } from '../../packages/cli/dist/kit/program.js'
import { commands as toolCommands } from '../../packages/cli/dist/commands/list.js'
import { serverProgram } from '../../packages/server/dist/cli/program.js'
import { code } from './table.mjs'

const context = {
  io: { out: () => undefined, err: () => undefined, environment: {} },
  finish: () => undefined,
  end: () => undefined,
}
const program = await makeProgram(serverProgram, context, 'all')

// The list of commands is separate from the commands, so that it can be shown without loading them.
const lineOf = (command) =>
  `${command.name()}: ${command.summary() || command.description()} (${command.commands.map((child) => child.name())})`
const listed = (await makeProgram(serverProgram, context, [])).commands.map(lineOf)
for (const [index, command] of program.commands.entries())
  if (lineOf(command) !== listed[index])
    throw new Error(`the list of commands has ${listed[index]}, the command itself ${lineOf(command)}`)

const leavesOf = (command, path) =>
  command.commands.length === 0
    ? [{ command, path }]
    : command.commands.flatMap((child) => leavesOf(child, `${path} ${child.name()}`))

/** The first example of a command, with address and key in variables. */
const exampleOf = ({ command, path }) => {
  const [example] = command.examples
  if (example === undefined) throw new Error(`Give ${path} an example where it is built`)
  return example.replace(` ${exampleService}`, '')
}

const leaves = leavesOf(program, 'account-import')

/** The options that all commands with an address of the service take too. */
const ofTheApi = new Set(['--plain-http', '--api-key-file'])
const notShown = new Set(['--json', ...ofTheApi])

const entry = (name, meaning) => `- ${code(name)}: ${meaning}`
const optionEntry = ({ mandatory, flags, description }) =>
  entry(mandatory ? `${flags} (required)` : flags, description)
const optionsOf = ({ options }) => options.filter(({ hidden, long }) => !hidden && !notShown.has(long))
const { options: apiOptions } = leaves.find(({ path }) => path === 'account-import status').command

/** The arguments of a command, in the form of options: `long` is the name that the page shows. */
const argumentsOf = ({ registeredArguments }) =>
  registeredArguments.map(({ required, _name, description }) => {
    const name = required ? `<${_name}>` : `[${_name}]`
    return { flags: name, long: name, description }
  })

/** The options that several commands have with one text. The page describes them once; another text stands at its command. */
const all = leaves
  .flatMap(({ command }) => [...argumentsOf(command), ...optionsOf(command)])
  .filter(({ mandatory }) => !mandatory)
const frequencyOf = (option) => all.filter((each) => optionEntry(each) === optionEntry(option)).length
const hasOneText = ({ long }) => new Set(all.filter((each) => each.long === long).map(optionEntry)).size === 1
const shared = new Map()
// An argument such as `<id>` means something else at each group of commands, and an option does not.
for (const option of all.filter((each) => each.long.startsWith('--') || hasOneText(each))) {
  const known = shared.get(option.long)
  if (frequencyOf(option) > (known === undefined ? 1 : frequencyOf(known))) shared.set(option.long, option)
}
const isShared = (option) =>
  shared.has(option.long) && optionEntry(option) === optionEntry(shared.get(option.long))

const section = ({ command, path }) => {
  const options = [...argumentsOf(command), ...optionsOf(command)]
  const others = options.filter(isShared).map(({ long }) => code(long))
  const entries = [
    ...options.filter((option) => !isShared(option)).map(optionEntry),
    ...(others.length === 0 ? [] : [`- ${others.join(', ')}`]),
  ]
  return [
    `## ${path}`,
    command.description(),
    ...(entries.length === 0 ? [] : [entries.join('\n')]),
    ['```sh', exampleOf({ command, path }), '```'].join('\n'),
  ].join('\n\n')
}

export const commandLinePage = () => `# Command line

Run \`npx account-import <command>\`, with the [configuration](configuration.md) in the environment. \`validate\`, \`explain\`
and \`help\` need neither service nor database. Commands with \`--url\` use the API of a running service, and also take the options below. All others
except \`serve\` use the database directly. An option without a meaning is among the [options of several
commands](#options-of-several-commands). \`account-import help <command>\` shows more
examples. The examples of the API have address and key in [variables](../how-to/import-a-supplier.md#variables).

${apiOptions
  .filter(({ long }) => ofTheApi.has(long))
  .map(optionEntry)
  .join('\n')}

${toolCommands.map(([name]) => code(name)).join(', ')} are in the package \`@account-import/cli\`, which
[installs alone](../how-to/install.md#the-command-line); the package of the server has all commands.

A command prints its result on stdout, and messages, progress, refusals and logs on stderr. So
\`KEY=$(account-import api-key create --organisation ACME)\` contains only the key. With \`--json\` it prints only one JSON document on stdout. Exit
codes: 0 done, 1 the data has failures, or an import was cut off again after a retry, 2 wrong usage or refused, 3 environment (database, network, files);
130 and 143 if SIGINT or SIGTERM stopped a command over a file.

${leaves.map(section).join('\n\n')}

## Options of several commands

${[...shared.values()].map(optionEntry).join('\n')}
`
