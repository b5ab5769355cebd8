import { makeProgram } from '../../packages/server/dist/cli/program.js'
import { code, table } from './table.mjs'

const program = makeProgram({
  io: { out: () => undefined, err: () => undefined, environment: {} },
  finish: () => undefined,
  end: () => undefined,
})

const leavesOf = (command, path) =>
  command.commands.length === 0
    ? [{ command, path }]
    : command.commands.flatMap((child) => leavesOf(child, `${path} ${child.name()}`))

const argumentText = ({ required, _name }) => (required ? `<${_name}>` : `[${_name}]`)

const section = ({ command, path }) => {
  const rows = [
    ...command.registeredArguments.map((argument) => [argumentText(argument), argument.description]),
    ...command.options.map((option) => [
      option.mandatory ? `${option.flags} (required)` : option.flags,
      option.description,
    ]),
  ]
  return [
    `### ${path}`,
    command.description(),
    table(
      ['Argument or option', 'Meaning'],
      rows.map(([name, meaning]) => [code(name), meaning]),
    ),
  ].join('\n\n')
}

export const commandLinePage = () => `# Command line

\`npx account-import <command>\`, with the [configuration](configuration.md) in the environment. Commands other than
\`serve\` and \`validate\` work on the database directly and need no running server; \`validate\` needs no database either.

With \`--json\` a command writes one JSON document to stdout and nothing else there. Exit codes: 0 done, 1 the data has
failures, 2 wrong usage or refused, 3 environment (database, network, files); 130 and 143 when \`validate\` was stopped by
SIGINT and SIGTERM. Messages and logs go to stderr.

${leavesOf(program, 'account-import').map(section).join('\n\n')}
`
