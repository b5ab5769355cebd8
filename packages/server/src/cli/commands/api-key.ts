import {
  type ApiKeyRecord,
  type Instant,
  type Scope,
  scopes,
  systemClock,
  usualScopes,
} from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { InvalidArgumentError } from 'commander'
import { typed } from '../../program-name.js'
import { collected, duration, given, instantArgument, oneOf } from '../arguments.js'
import { leafCommand } from '../command.js'
import { operatorCommands } from '../operate.js'
import { listed, timeJson } from '../output.js'

/** An API key as `--json` shows it: never its secret, nor the hash of it. */
const apiKeyJson = ({
  id,
  organisation,
  name,
  scopes,
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
}: ApiKeyRecord) => ({
  id,
  organisation,
  name: name ?? null,
  scopes,
  created_at: toWireDatetime(createdAt),
  expires_at: timeJson(expiresAt),
  revoked_at: timeJson(revokedAt),
  last_used_at: timeJson(lastUsedAt),
})

type Options = Readonly<{
  organisation: string
  name?: string
  scope?: readonly Scope[]
  expires?: Instant | 'never'
}>

const ends = (key: string): string =>
  `when ${key} ends, such as 2030-12-31T00:00:00Z, or never; after 365 days when left out`

const keepIt = 'Keep the key now: it is shown this once. Everyone who has it acts for the organisation.'

const allScopes = `Note: no --scope was given, so the key has the usual ones: ${usualScopes.join(', ')}.`

/** Reads an instant (`instantArgument`); what is past is refused. Or `never`. */
const futureInstantOrNever = (text: string): Instant | 'never' => {
  if (text === 'never') return text
  const instant = instantArgument(text)
  if (instant <= systemClock.now()) throw new InvalidArgumentError('It lies in the past.')
  return instant
}

/** `api-key create | list | rotate | revoke` */
export const make = operatorCommands((command) => [
  command(
    leafCommand('create', 'Issue a key; it is shown this once.')
      .requiredOption('--organisation <code>', 'the organisation of the key')
      .option('--name <name>', 'its name in api-key list')
      .option(
        '--scope <scope>',
        `its scopes, repeatable: ${scopes.join(', ')}; all but undo when left out`,
        collected(oneOf(scopes)),
      )
      .option('--expires <datetime>', ends('it'), futureInstantOrNever),
    ({ operator }, { organisation, name, scope, expires }: Options) =>
      operator.createApiKey(
        given({ organisation, name, scopes: scope && [...new Set(scope)], expiresAt: expires }),
      ),
    ({ apiKey, record }, { scope }) => ({
      json: { api_key: apiKey, ...apiKeyJson(record) },
      result: apiKey,
      message: keepIt,
      notices: scope === undefined ? [allScopes] : [],
    }),
  ),
  command(
    leafCommand('list', 'Show all keys, without their secrets.'),
    ({ operator }) => operator.listApiKeys(),
    listed(
      apiKeyJson,
      [
        ['ID', ({ id }) => id],
        ['ORGANISATION', ({ organisation }) => organisation],
        ['NAME', ({ name }) => name ?? '-'],
        ['SCOPES', (key) => key.scopes.join(',')],
        ['CREATED AT', (key) => key.created_at],
        ['EXPIRES AT', (key) => key.expires_at ?? 'never'],
        ['LAST USED AT', (key) => key.last_used_at ?? '-'],
        ['REVOKED AT', (key) => key.revoked_at ?? '-'],
      ],
      `There is no API key yet. Make one with: ${typed('api-key create --organisation CODE')}`,
    ),
  ),
  command(
    leafCommand(
      'rotate',
      'Issue a key that replaces another one, which works for a while yet; it is shown this once.',
    )
      .argument('<id>', 'the id of the key to be replaced, as api-key list shows it')
      .option(
        '--overlap <duration>',
        'how long the old one still works: 0, 30m, 24h, 7d; 24h when left out',
        duration,
      )
      .option('--expires <datetime>', ends('the new one'), futureInstantOrNever),
    (
      { operator },
      id: string,
      { overlap, expires }: Readonly<{ overlap?: number; expires?: Instant | 'never' }>,
    ) => operator.rotateApiKey(given({ id, overlapSeconds: overlap, expiresAt: expires })),
    ({ apiKey, record, previous, previousEndsAt }) => ({
      json: {
        api_key: apiKey,
        ...apiKeyJson(record),
        replaces: { id: previous, expires_at: toWireDatetime(previousEndsAt) },
      },
      result: apiKey,
      message: `Keep the key now: it is shown this once. The key ${previous} ends at ${toWireDatetime(previousEndsAt)}.`,
    }),
  ),
  command(
    leafCommand('revoke', 'End a key.').argument('<id>', 'the id that api-key list shows'),
    ({ operator }, id: string) => operator.revokeApiKey(id),
    ({ id }) => ({
      json: { id, revoked: true },
      message: `API key ${id} is revoked; tokens obtained with it stop working within 60 seconds.`,
    }),
  ),
])
