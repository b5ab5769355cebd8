import { Command } from 'commander'
import type { CliContext } from './cli-context.js'
import { withExamples } from './examples.js'
import { helpCommand } from './help-command.js'
import { packageVersion } from '../package-version.js'

const about = `Runs the customer account import service and operates it.
Configuration comes from environment variables; without any, everything is kept in ./data.`

const exitCodes = `
Exit codes: 0 done, 1 the data has failures, 2 wrong usage or refused, 3 environment (database, network, files),
130 and 143 stopped by SIGINT and SIGTERM.`

type Make = (context: CliContext) => Command

/**
 * A command: its line in the list of commands, where the rest of it is, and the names of its own commands. Help, completion
 * and docs/reference/command-line.md are made from this table.
 */
type Entry = readonly [
  name: string,
  summary: string,
  load: () => Promise<Make>,
  subcommands?: readonly string[],
]

const entries: readonly Entry[] = [
  [
    'serve',
    'Run the HTTP server until it gets SIGTERM or SIGINT.',
    async () => (await import('./commands/serve.js')).serveCommand,
  ],
  [
    'migrate',
    'Bring the tables of the database to this version.',
    async () => (await import('./commands/migrate.js')).migrateCommand,
  ],
  [
    'organisation',
    'Clients of the service; they own API keys and import suppliers.',
    async () => (await import('./commands/organisation.js')).organisationCommand,
    ['create', 'list', 'disable', 'enable', 'revoke'],
  ],
  [
    'supplier',
    'Import suppliers: groups that migrated accounts belong to.',
    async () => (await import('./commands/supplier.js')).supplierCommand,
    ['create', 'set-status', 'configure', 'show', 'list'],
  ],
  [
    'account',
    'Accounts that were created.',
    async () => (await import('./commands/account.js')).accountCommand,
    ['show'],
  ],
  [
    'documents',
    'Documents that accounts name.',
    async () => (await import('./commands/documents.js')).documentsCommand,
    ['missing'],
  ],
  [
    'team',
    'Teams that accounts are created under: for all organisations, or for those they are bound to.',
    async () => (await import('./commands/team.js')).teamCommand,
    ['create', 'list', 'bind', 'unbind'],
  ],
  [
    'api-key',
    'Keys with which an organisation obtains tokens.',
    async () => (await import('./commands/api-key.js')).apiKeyCommand,
    ['create', 'list', 'rotate', 'revoke'],
  ],
  [
    'skip',
    'Mark an account so that it can be neither staged nor processed.',
    async () => (await import('./commands/skip.js')).skipCommand,
  ],
  [
    'export-subject',
    'Everything that is held of an account, as one JSON document.',
    async () => (await import('./commands/export-subject.js')).exportSubjectCommand,
  ],
  [
    'erase',
    'Remove what an account tells of persons; keep what money and the register need.',
    async () => (await import('./commands/erase.js')).eraseCommand,
  ],
  [
    'outbox',
    'E-mails that tell customers that their account was migrated.',
    async () => (await import('./commands/outbox.js')).outboxCommand,
    ['list', 'retry'],
  ],
  [
    'audit',
    'The record of what was done, by whom and when.',
    async () => (await import('./commands/audit.js')).auditCommand,
    ['list', 'verify', 'head'],
  ],
  [
    'encryption',
    'Keys with which what tells of a person is encrypted.',
    async () => (await import('./commands/encryption.js')).encryptionCommand,
    ['status', 'rewrap'],
  ],
  [
    'verify',
    'Compare all that the database holds with each other, and list what does not agree.',
    async () => (await import('./commands/verify.js')).verifyCommand,
  ],
  [
    'validate',
    'Check a file of accounts without server and database.',
    async () => (await import('./commands/validate.js')).validateCommand,
  ],
  [
    'import',
    'Bring a file of accounts into the service: stage them, then create them.',
    async () => (await import('./commands/import.js')).importCommand,
  ],
  [
    'stage',
    'Stage the accounts of a file, through the API of the service; as import --only stage.',
    async () => (await import('./commands/import.js')).stageCommand,
  ],
  [
    'process',
    'Create every account that a supplier has staged, the first staged first, through the API of the service.',
    async () => (await import('./commands/process.js')).processCommand,
  ],
  [
    'status',
    'Show how far the import of a supplier is, through the API of the service.',
    async () => (await import('./commands/status.js')).statusCommand,
  ],
  [
    'explain',
    'Say what an error code means, and how to fix it.',
    async () => (await import('./commands/explain.js')).explainCommand,
  ],
  [
    'completion',
    'Print a script with which a shell completes commands and options.',
    async () => (await import('./commands/completion.js')).completionCommand,
  ],
]

/** Stands in the list of commands for one that was not asked for. */
const listed = (name: string, summary: string, subcommands: readonly string[]): Command => {
  const command = new Command(name).summary(summary)
  for (const subcommand of subcommands) command.command(subcommand)
  return command
}

/** In the list of commands: what it is for, and its own commands. */
const described = (command: Command): string =>
  [
    command.summary() || command.description(),
    ...(command.commands.length > 0 ? [command.commands.map((child) => child.name()).join(', ')] : []),
  ].join('\n')

/**
 * The commands, built anew for each run because Commander keeps what it parsed. Only those that the command line names are
 * built whole, all of them for `all`: loading what every command needs takes longer than most of them run.
 */
export const makeProgram = async (context: CliContext, args: readonly string[] | 'all'): Promise<Command> => {
  const program = new Command('account-import')
    .description(about)
    .version(packageVersion(), '-v, --version', 'print the version')
    .option('--operator <name>', 'whom the record names; your user name on this machine when left out')
    .addHelpText('after', exitCodes)
    .showHelpAfterError('(add --help for the usage)')
    // The same for those that are only listed and have no options yet.
    .configureHelp({ subcommandTerm: (command) => command.name(), subcommandDescription: described })
    .helpCommand(false)
  const isAllWanted = args === 'all' || args[0] === 'completion'
  for (const [name, summary, load, subcommands = []] of entries) {
    const isWanted = isAllWanted || args.includes(name)
    program.addCommand(isWanted ? (await load())(context) : listed(name, summary, subcommands))
  }
  return withExamples(program.addCommand(helpCommand()))
}
