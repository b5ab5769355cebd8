import { type Command, InvalidArgumentError } from 'commander'
import { type Environment, variableText } from '../environment.js'

/** The variables for options of commands that call the API. */
export const variables = {
  url: 'ACCOUNT_IMPORT_URL',
  apiKey: 'ACCOUNT_IMPORT_API_KEY',
  apiKeyFile: 'ACCOUNT_IMPORT_API_KEY_FILE',
  team: 'ACCOUNT_IMPORT_TEAM',
} as const

/** Gives the options of a command that were not given the values of their variables. A key precedes the file of one. */
export const completeOptions = (environment: Environment, command: Command): void => {
  const { apiKey = variableText(environment, variables.apiKey) } = command.opts<{ apiKey?: string }>()
  const names = ['url', 'team', ...(apiKey === undefined ? (['apiKeyFile'] as const) : [])] as const
  for (const name of names) {
    const option = command.options.find((each) => each.attributeName() === name)
    const text = variableText(environment, variables[name])
    if (option === undefined || text === undefined || command.getOptionValue(name) !== undefined) continue
    try {
      const value: unknown = option.parseArg === undefined ? text : option.parseArg(text, undefined)
      command.setOptionValueWithSource(name, value, 'env')
    } catch (cause) {
      if (!(cause instanceof InvalidArgumentError)) throw cause
      command.error(`error: the variable ${variables[name]} is not valid. ${cause.message}`)
    }
  }
}
