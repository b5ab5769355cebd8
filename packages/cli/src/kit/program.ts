import { Command } from 'commander'
import { packageVersion } from '../program-name.js'
import { type CliContext, type CommandError, LeafCommand } from './command.js'

/** `help [command...]`: prints the same as `COMMAND --help`, and refuses a command that does not exist. */
const helpCommand = (): Command =>
  new LeafCommand('help')
    .description('Show how a command is used.')
    .example('help run show')
    .argument('[command...]', 'such as run show (default: all commands)')
    .action((names: readonly string[], _options: unknown, help: Command) => {
      let command = help.parent ?? help
      for (const name of names) {
        const found = command.commands.find((child) => child.name() === name)
        if (found === undefined) return help.error(`error: unknown command '${names.join(' ')}'`)
        command = found
      }
      return command.help()
    })

const exitCodes = `
Exit codes: 0 done, 1 the data has failures, 2 wrong usage or refused, 3 environment (database, network, files),
130 and 143 stopped by SIGINT and SIGTERM.`

/** Builds a command, or the subcommands of a command that has any. */
type Made = Readonly<{ make(context: CliContext): Command | readonly Command[] }>

/**
 * A command: its line in the list of commands, the module that builds it, and the names of its subcommands. The list is shown
 * without loading the modules.
 */
export type Entry = readonly [
  name: string,
  summary: string,
  load: () => Promise<Made>,
  subcommands?: readonly string[],
]

/** The commands under the name `account-import`: those of the tool alone, or those of the server too. */
export type Program = Readonly<{
  about: string
  commands: readonly Entry[]
  /** The error of an exception that its own commands throw; undefined for any other. */
  failureOf?(cause: unknown): CommandError | undefined
}>

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
export const makeProgram = async (
  { about, commands }: Pick<Program, 'about' | 'commands'>,
  context: CliContext,
  args: readonly string[] | 'all',
): Promise<Command> => {
  const program = new Command('account-import')
    .description(about)
    .version(packageVersion(), '-v, --version', 'print the version')
    .option('--operator <name>', 'name of the operator in the audit log (default: your user name)')
    .addHelpText('after', exitCodes)
    .showHelpAfterError('(add --help for the usage)')
    // Shows a loaded command as one that is only listed, which has no options.
    .configureHelp({ subcommandTerm: (command) => command.name(), subcommandDescription: described })
    .helpCommand(false)
  for (const entry of commands)
    program.addCommand(
      args === 'all' || args.includes(entry[0]) ? await whole(entry, context) : listed(entry),
    )
  return program.addCommand(helpCommand())
}
