import type { Command } from 'commander'
import { scopes, type Instant, type Scope } from '@account-import/core'
import { collected } from '../arguments/collected.js'
import { futureInstantOrNever } from '../arguments/future-instant-or-never.js'
import { oneOf } from '../arguments/one-of.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import { leafCommand } from '../leaf-command.js'
import { operate } from '../operate.js'
import { apiKeyJson } from '../output/api-key-json.js'

type Options = JsonOption &
  Readonly<{ organisation: string; name?: string; scope?: readonly Scope[]; expires?: Instant | 'never' }>

const inputOf = ({ organisation, name, scope, expires }: Options) => ({
  organisation,
  ...(name === undefined ? {} : { name }),
  ...(scope === undefined ? {} : { scopes: [...new Set(scope)] }),
  ...(expires === undefined ? {} : { expiresAt: expires }),
})

const keepIt = 'Keep the key now: it is shown this once. Whoever has it acts for the organisation.'

const allScopes = `Note: no --scope was given, so the key may do everything: ${scopes.join(', ')}.`

/** `api-key create --organisation CODE [--name N] [--scope S]... [--expires never|ISO]` */
export const createApiKey = (context: CliContext): Command =>
  leafCommand('create', 'Issue a key; it is shown this once.')
    .requiredOption('--organisation <code>', 'whom the key is for')
    .option('--name <name>', 'what it is called in api-key list')
    .option(
      '--scope <scope>',
      `what it may be used for, repeatable: ${scopes.join(', ')}; all when left out`,
      collected(oneOf(scopes)),
    )
    .option(
      '--expires <datetime>',
      'when it ends, such as 2030-12-31T00:00:00Z, or never; after 365 days when left out',
      futureInstantOrNever,
    )
    .action((options: Options) =>
      operate(
        context,
        options,
        (operator) => operator.createApiKey(inputOf(options)),
        ({ apiKey, record }) => ({
          json: { api_key: apiKey, ...apiKeyJson(record) },
          result: apiKey,
          message: keepIt,
          notices: options.scope === undefined ? [allScopes] : [],
        }),
      ),
    )
