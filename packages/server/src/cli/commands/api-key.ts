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
import {
  collected,
  duration,
  given,
  instantArgument,
  leafCommand,
  listed,
  oneOf,
  timeJson,
  typed,
} from '@account-import/cli/kit'
import { operatorCommands } from '../operate.js'

/** The JSON form of an API key for `--json`, without its secret and the hash of it. */
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
  `end of ${key}, such as 2030-12-31T00:00:00Z, or never (default: after 365 days)`

const keepIt = 'Keep the key now: it is printed only once. Everyone who has it acts for the organisation.'

const allScopes = `Note: no --scope was given, so the key has the usual ones: ${usualScopes.join(', ')}.`

/** Reads `never`, or an instant (`instantArgument`) in the future. */
const futureInstantOrNever = (text: string): Instant | 'never' => {
  if (text === 'never') return text
  const instant = instantArgument(text)
  if (instant <= systemClock.now()) throw new InvalidArgumentError('The time is in the past.')
  return instant
}

/** `api-key create | list | rotate | revoke` */
export const make = operatorCommands(({ command }) => [
  command(
    leafCommand('create', 'Issue a key; prints the key once.')
      .example(
        'api-key create --organisation ACME --name Nightly --scope stage --scope process --scope read',
        '(umask 077; account-import api-key create --organisation ACME > api-key)',
      )
      .requiredOption('--organisation <code>', 'the organisation of the key')
      .option('--name <name>', 'its name in api-key list')
      .option(
        '--scope <scope>',
        `its scopes, repeatable: ${scopes.join(', ')} (default: all but undo)`,
        collected(oneOf(scopes)),
      )
      .option('--expires <datetime>', ends('the key'), futureInstantOrNever),
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
    leafCommand('list', 'Show all keys, without their secrets.').example('api-key list'),
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
      'Issue a key that replaces another one, which works for the overlap; prints the key once.',
    )
      .example('(umask 077; account-import api-key rotate 4f2k9q7x1m3p --overlap 7d > api-key)')
      .argument('<id>', 'the id of the key to be replaced, as api-key list shows it')
      .option(
        '--overlap <duration>',
        'how long the old key still works: 0, 30m, 24h, 7d (default: 24h)',
        duration,
      )
      .option('--expires <datetime>', ends('the new key'), futureInstantOrNever),
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
      message: `Keep the key now: it is printed only once. The key ${previous} ends at ${toWireDatetime(previousEndsAt)}.`,
    }),
  ),
  command(
    leafCommand('revoke', 'End a key.')
      .example('api-key revoke 4f2k9q7x1m3p')
      .argument('<id>', 'the id that api-key list shows'),
    ({ operator }, id: string) => operator.revokeApiKey(id),
    ({ id }) => ({
      json: { id, revoked: true },
      message: `API key ${id} is revoked; tokens obtained with it stop working within 60 seconds.`,
    }),
  ),
])
