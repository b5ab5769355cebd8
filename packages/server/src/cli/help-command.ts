import { Command } from 'commander'

/** `help [command...]`: the same as `--help` behind the command; a command that does not exist is refused. */
export const helpCommand = (): Command =>
  new Command('help')
    .description('Show how a command is used.')
    .argument('[command...]', 'such as supplier create; all commands when left out')
    .action((names: readonly string[], _options: unknown, help: Command) => {
      let at = help.parent ?? help
      for (const name of names) {
        const found = at.commands.find((command) => command.name() === name)
        if (found === undefined) return help.error(`error: unknown command '${names.join(' ')}'`)
        at = found
      }
      return at.help()
    })
