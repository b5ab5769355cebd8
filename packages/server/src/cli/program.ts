import { Command } from 'commander'
import { packageVersion } from '../program-name.js'
import { type CliContext, LeafCommand } from './command.js'

/** `help [command...]`: prints the same as `COMMAND --help`, and refuses a command that does not exist. */
const helpCommand = (): Command =>
  new LeafCommand('help')
    .description('Show how a command is used.')
    .example('help supplier create')
    .argument('[command...]', 'such as supplier create (default: all commands)')
    .action((names: readonly string[], _options: unknown, help: Command) => {
      let command = help.parent ?? help
      for (const name of names) {
        const found = command.commands.find((child) => child.name() === name)
        if (found === undefined) return help.error(`error: unknown command '${names.join(' ')}'`)
        command = found
      }
      return command.help()
    })

const about = `Runs the customer account import service and operates it.
Configuration comes from environment variables; without any, all data is stored in ./data.`

const exitCodes = `
Exit codes: 0 done, 1 the data has failures, 2 wrong usage or refused, 3 environment (database, network, files),
130 and 143 stopped by SIGINT and SIGTERM.`

/** Builds a command, or the subcommands of a command that has any. */
type Made = Readonly<{ make(context: CliContext): Command | readonly Command[] }>

/**
 * A command: its line in the list of commands, the module that builds it, and the names of its subcommands. The list is shown
 * without loading the modules.
 */
type Entry = readonly [
  name: string,
  summary: string,
  load: () => Promise<Made>,
  subcommands?: readonly string[],
]

const entries: readonly Entry[] = [
  ['serve', 'Run the HTTP server until it gets SIGTERM or SIGINT.', () => import('./commands/serve.js')],
  ['migrate', 'Migrate the tables of the database to this version.', () => import('./commands/migrate.js')],
  [
    'organisation',
    'Clients of the service; they own API keys and import suppliers.',
    () => import('./commands/organisation.js'),
    ['create', 'list', 'disable', 'enable', 'revoke'],
  ],
  [
    'supplier',
    'Import suppliers: groups that migrated accounts belong to.',
    () => import('./commands/supplier.js'),
    ['create', 'set-status', 'configure', 'show', 'list'],
  ],
  ['account', 'Accounts that were created.', () => import('./commands/account.js'), ['show']],
  ['documents', 'Documents of accounts.', () => import('./commands/documents.js'), ['missing']],
  [
    'team',
    'Teams that accounts are created under: for all organisations, or for those they are bound to.',
    () => import('./commands/team.js'),
    ['create', 'list', 'bind', 'unbind'],
  ],
  [
    'api-key',
    'Keys with which an organisation obtains tokens.',
    () => import('./commands/api-key.js'),
    ['create', 'list', 'rotate', 'revoke'],
  ],
  [
    'skip',
    'Mark an account so that it can be neither staged nor processed.',
    () => import('./commands/skip.js'),
  ],
  [
    'export-subject',
    'All data of an account, as one JSON document.',
    async () => ({ make: (await import('./commands/account.js')).makeExportSubject }),
  ],
  [
    'reconcile',
    'Prove that the accounts of files and those of the service are the same.',
    () => import('./commands/reconcile.js'),
  ],
  ['undo', 'Undo created accounts, so that they can be imported again.', () => import('./commands/undo.js')],
  [
    'erase',
    'Remove the personal data of an account; keep numbers, dates and amounts.',
    () => import('./commands/erase.js'),
  ],
  [
    'outbox',
    'E-mails to customers about the migration of their account.',
    () => import('./commands/outbox.js'),
    ['list', 'retry'],
  ],
  [
    'webhook',
    'Addresses of an organisation that get messages about its import runs.',
    () => import('./commands/webhook.js'),
    ['add', 'list', 'test', 'rotate', 'remove'],
  ],
  [
    'audit',
    'Audit events: actor, action and time of each change.',
    () => import('./commands/audit.js'),
    ['list', 'verify', 'head'],
  ],
  [
    'encryption',
    'Keys that encrypt personal data.',
    () => import('./commands/encryption.js'),
    ['status', 'rewrap'],
  ],
  [
    'verify',
    'Compare all data of the database with each other, and list inconsistencies.',
    () => import('./commands/verify.js'),
  ],
  [
    'validate',
    'Check a file of accounts without server and database.',
    () => import('./commands/validate.js'),
  ],
  [
    'convert',
    'Convert exported files to accounts by one SQL query, and check or import them.',
    () => import('./commands/convert.js'),
  ],
  [
    'login',
    'Remember address, key file and team for the commands that call the API.',
    () => import('./commands/login.js'),
  ],
  [
    'import',
    'Import a file of accounts: stage them, then create them.',
    () => import('./commands/import.js'),
  ],
  [
    'stage',
    'Stage the accounts of a file, through the API of the service; as import --only stage.',
    async () => ({ make: (await import('./commands/import.js')).makeStage }),
  ],
  [
    'process',
    'Create every account that a supplier has staged, the first staged first, through the API of the service.',
    () => import('./commands/process.js'),
  ],
  [
    'run',
    'Import runs: the counts of each, its refused accounts, and undo.',
    () => import('./commands/run.js'),
    ['list', 'show', 'failures', 'undo'],
  ],
  [
    'status',
    'Show how far the import of a supplier is, through the API of the service.',
    () => import('./commands/status.js'),
  ],
  ['explain', 'Explain an error code, and how to fix it.', () => import('./commands/explain.js')],
]

const withCommands = (name: string, commands: readonly Command[]): Command => {
  const command = new Command(name)
  for (const each of commands) command.addCommand(each)
  return command
}

/** A command with arguments and options. Without a description of its own it has its line in the list. */
const whole = async ([name, summary, load]: Entry, context: CliContext): Promise<Command> => {
  const { make } = await load()
  const made = make(context)
  const command = made instanceof Command ? made : withCommands(name, made)
  return command.summary(summary).description(command.description() || summary)
}

/** The entry of the list for a command that the command line does not name: without options, so its module is not loaded. */
const listed = ([name, summary, , subcommands = []]: Entry): Command =>
  withCommands(
    name,
    subcommands.map((subcommand) => new Command(subcommand)),
  ).summary(summary)

/** The text of a command in the list: its summary and its subcommands. */
const described = (command: Command): string =>
  [
    command.summary() || command.description(),
    ...(command.commands.length > 0 ? [command.commands.map((child) => child.name()).join(', ')] : []),
  ].join('\n')

/**
 * Builds the commands for one run, because Commander stores parsed values in them. Only the commands that the command line names
 * are loaded, all of them for `all`: loading the modules of every command takes longer than most commands run.
 */
export const makeProgram = async (context: CliContext, args: readonly string[] | 'all'): Promise<Command> => {
  const program = new Command('account-import')
    .description(about)
    .version(packageVersion(), '-v, --version', 'print the version')
    .option('--operator <name>', 'name of the operator in the audit log (default: your user name)')
    .addHelpText('after', exitCodes)
    .showHelpAfterError('(add --help for the usage)')
    // Shows a loaded command as one that is only listed, which has no options.
    .configureHelp({ subcommandTerm: (command) => command.name(), subcommandDescription: described })
    .helpCommand(false)
  for (const entry of entries)
    program.addCommand(
      args === 'all' || args.includes(entry[0]) ? await whole(entry, context) : listed(entry),
    )
  return program.addCommand(helpCommand())
}
