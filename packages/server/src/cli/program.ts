import { Command } from 'commander'
import { packageVersion } from '../program-name.js'
import type { CliContext } from './command.js'

const service = '--url http://127.0.0.1:8080 --api-key-file api-key'

/** Examples of each command. Every command with an action has one. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  serve: ['serve', 'PORT=9000 DATA_DIR=/srv/imports account-import serve', 'serve --migrate'],
  migrate: ['migrate', 'migrate --status'],
  'organisation create': ["organisation create ACME --name 'Acme Energy'"],
  'organisation list': ['organisation list', 'organisation list --json'],
  'organisation disable': ['organisation disable ACME'],
  'organisation enable': ['organisation enable ACME'],
  'organisation revoke': ['organisation revoke ACME'],
  'supplier create': ['supplier create LEVANTE --organisation ACME'],
  'supplier set-status': ['supplier set-status LEVANTE paused'],
  'supplier configure': [
    'supplier configure LEVANTE --severity unknown_field=error --check-documents warn',
    'supplier configure LEVANTE --close-list sales_channel=DIRECT,EVENTS:error',
  ],
  'supplier show': ['supplier show LEVANTE', 'supplier show LEVANTE --json > settings.json'],
  'supplier list': ['supplier list'],
  'account show': ['account show LEVANTE LEV-G-000123'],
  'documents missing': ['documents missing LEVANTE', 'documents missing LEVANTE --ndjson > missing.ndjson'],
  'team create': ["team create 'Migration team'"],
  'team list': ['team list'],
  'team bind': ["team bind 'Migration team' --organisation ACME"],
  'team unbind': ["team unbind 'Migration team' --organisation ACME"],
  'api-key create': [
    'api-key create --organisation ACME --name Nightly --scope stage --scope process --scope read',
    '(umask 077; account-import api-key create --organisation ACME > api-key)',
  ],
  'api-key list': ['api-key list'],
  'api-key rotate': ['(umask 077; account-import api-key rotate 4f2k9q7x1m3p --overlap 7d > api-key)'],
  'api-key revoke': ['api-key revoke 4f2k9q7x1m3p'],
  'export-subject': ['export-subject LEVANTE LEV-G-000123 > subject.json'],
  reconcile: [
    `reconcile accounts.ndjson --supplier LEVANTE ${service} --report proof.html`,
    `reconcile one.ndjson two.ndjson.gz --supplier LEVANTE ${service} --controls controls.json --json`,
  ],
  undo: [
    `undo LEVANTE LEV-G-000123 ${service}`,
    `undo LEVANTE --numbers wrong.txt ${service} --confirm m93k1x2c-5f1c0b7a9e3d4c6b`,
  ],
  erase: ['erase LEVANTE LEV-G-000123', 'erase LEVANTE LEV-G-000123 --yes'],
  skip: ['skip LEVANTE LEV-G-000123', 'skip LEVANTE LEV-G-000123 --undo'],
  'outbox list': ['outbox list --state parked --supplier LEVANTE'],
  'outbox retry': ['outbox retry --parked --supplier LEVANTE'],
  'webhook add': [
    'webhook add --organisation ACME https://hooks.acme.example/imports',
    '(umask 077; account-import webhook add --organisation ACME https://hooks.acme.example/imports > secret)',
  ],
  'webhook list': ['webhook list', 'webhook list --json'],
  'webhook test': ['webhook test Qm3xT8vB2nL6sA4k'],
  'webhook rotate': ['(umask 077; account-import webhook rotate Qm3xT8vB2nL6sA4k --overlap 7d > secret)'],
  'webhook remove': ['webhook remove Qm3xT8vB2nL6sA4k'],
  'audit list': [
    'audit list --supplier LEVANTE --account LEV-G-000123',
    'audit list --since 2025-09-01 --json',
  ],
  'audit verify': ['audit verify', 'audit verify --head heads.txt'],
  'audit head': ['audit head', 'audit head --json > heads.json'],
  'encryption status': ['encryption status', 'encryption status --json'],
  'encryption rewrap': ['encryption rewrap'],
  verify: ['verify', 'verify --supplier LEVANTE --json'],
  validate: [
    'validate accounts.ndjson --report report.html --failures failed.ndjson',
    'validate accounts.ndjson --failures failed.csv',
    'gunzip -c accounts.ndjson.gz | account-import validate - --errors - > errors.csv',
  ],
  convert: [
    'convert --init my-export',
    'convert mapping.sql --set supplier=LEVANTE --out accounts.ndjson --errors errors.csv',
    `convert mapping.sql --set supplier=LEVANTE --import ${service} --team 'Migration team'`,
  ],
  import: [`import accounts.ndjson ${service} --team 'Migration team' --mapping mapping.csv`],
  stage: [`stage accounts.ndjson ${service}`],
  'run list': [`run list ${service}`, `run list --supplier LEVANTE ${service} --json`],
  'run show': [`run show 4f2k9Q7x1M3pT8vB2nL6sA ${service}`],
  'run failures': [`run failures 4f2k9Q7x1M3pT8vB2nL6sA ${service} --csv > refused.csv`],
  'run undo': [`run undo 4f2k9Q7x1M3pT8vB2nL6sA ${service}`],
  process: [`process ${service} --supplier LEVANTE --team 'Migration team'`],
  status: [`status LEVANTE ${service} --watch`],
  login: [
    `login ${service}`,
    `login --profile pilot --url https://pilot.example --api-key-file pilot-key --team 'Migration team'`,
  ],
  explain: ['explain invalid_phone_number'],
  help: ['help supplier create'],
}

const program = 'account-import'

/** The command line of an example. */
export const typed = (example: string): string =>
  example.includes(`${program} `) ? example : `${program} ${example}`

/** Adds examples to the help of a command and of all below it. */
const withExamples = (command: Command, path: readonly string[] = []): Command => {
  const own = examples[path.join(' ')]
  if (own !== undefined)
    command.addHelpText('after', ['', 'Examples:', ...own.map((example) => `  ${typed(example)}`)].join('\n'))
  for (const child of command.commands) withExamples(child, [...path, child.name()])
  return command
}

/** `help [command...]`: prints the same as `COMMAND --help`, and refuses a command that does not exist. */
const helpCommand = (): Command =>
  new Command('help')
    .description('Show how a command is used.')
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
 * A command: its line in the list of commands, the module that builds it, and the names of its subcommands. Help and
 * docs/reference/command-line.md are generated from this table.
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
  return withExamples(program.addCommand(helpCommand()))
}
