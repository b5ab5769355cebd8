import type { Command } from 'commander'

/** A possible word, and its purpose. */
type Word = Readonly<{ name: string; about: string }>

/** The possible words after a command: `path` is its words, empty for the program itself. */
export type Completed = Readonly<{ path: string; commands: readonly Word[]; options: readonly Word[] }>

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
export const completedOf = (command: Command, path = ''): readonly Completed[] => {
  const commands = command.commands.map((child) => ({
    name: child.name(),
    about: firstLine(child.summary() || child.description()),
  }))
  const below = command.commands.flatMap((child) => completedOf(child, `${path} ${child.name()}`.trim()))
  return [{ path, commands, options: optionsOf(command) }, ...below]
}

/** Each command as `<the command that it belongs to> <its name>`; those of the program begin with a blank. */
export const stepsOf = (all: readonly Completed[]): readonly string[] =>
  all.flatMap(({ path, commands }) => commands.map(({ name }) => `${path} ${name}`))
