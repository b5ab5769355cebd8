import type { Command } from 'commander'
import { typed } from '../../program-name.js'
import { shellWord } from '../../shell-word.js'

/** The key must not get into logs. */
const secret = 'apiKey'

/** The typed command, to be typed again; without the API key. */
export const commandLine = (command: Command, args: readonly string[]): string => {
  const options = command.options.flatMap((option) => {
    const name = option.attributeName()
    const value: unknown = command.getOptionValue(name)
    if (name === secret || command.getOptionValueSource(name) !== 'cli') return []
    return value === true ? [option.long ?? ''] : [option.long ?? '', shellWord(String(value))]
  })
  return typed([command.name(), ...args.map(shellWord), ...options].join(' '))
}
