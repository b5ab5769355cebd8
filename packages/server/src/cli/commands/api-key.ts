import {
  type ApiKeyRecord,
  type Instant,
  type Scope,
  scopes,
  systemClock,
  usualScopes,
} from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { type Command, InvalidArgumentError } from 'commander'
import { typed } from '../../program-name.js'
import { collected, duration, given, instantArgument, oneOf } from '../arguments.js'
import { type CliContext, leafCommand } from '../command.js'
import { operate } from '../operate.js'
import { listed } from '../output.js'

const datetime = (instant: Instant | undefined): string | null =>
  instant === undefined ? null : toWireDatetime(instant)

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
  expires_at: datetime(expiresAt),
  revoked_at: datetime(revokedAt),
  last_used_at: datetime(lastUsedAt),
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

/** `api-key create --organisation CODE [--name N] [--scope S]... [--expires never|ISO]` */
const create = (context: CliContext): Command =>
  leafCommand('create', 'Issue a key; it is shown this once.')
    .requiredOption('--organisation <code>', 'the organisation of the key')
    .option('--name <name>', 'its name in api-key list')
    .option(
      '--scope <scope>',
      `its scopes, repeatable: ${scopes.join(', ')}; all but undo when left out`,
      collected(oneOf(scopes)),
    )
    .option('--expires <datetime>', ends('it'), futureInstantOrNever)
    .action(({ organisation, name, scope, expires }: Options) =>
      operate(
        context,
        (operator) =>
          operator.createApiKey(
            given({ organisation, name, scopes: scope && [...new Set(scope)], expiresAt: expires }),
          ),
        ({ apiKey, record }) => ({
          json: { api_key: apiKey, ...apiKeyJson(record) },
          result: apiKey,
          message: keepIt,
          notices: scope === undefined ? [allScopes] : [],
        }),
      ),
    )

const rowOf = (record: ApiKeyRecord): readonly string[] => {
  const { id, organisation, name, scopes, created_at, expires_at, last_used_at, revoked_at } =
    apiKeyJson(record)
  return [
    id,
    organisation,
    name ?? '-',
    scopes.join(','),
    created_at,
    expires_at ?? 'never',
    last_used_at ?? '-',
    revoked_at ?? '-',
  ]
}

const list = (context: CliContext): Command =>
  leafCommand('list', 'Show all keys, without their secrets.').action(() =>
    operate(
      context,
      (operator) => operator.listApiKeys(),
      (records) => ({
        json: records.map(apiKeyJson),
        ...listed(
          ['ID', 'ORGANISATION', 'NAME', 'SCOPES', 'CREATED AT', 'EXPIRES AT', 'LAST USED AT', 'REVOKED AT'],
          records.map(rowOf),
          `There is no API key yet. Make one with: ${typed('api-key create --organisation CODE')}`,
        ),
      }),
    ),
  )

const revoke = (context: CliContext): Command =>
  leafCommand('revoke', 'End a key.')
    .argument('<id>', 'the id that api-key list shows')
    .action((id: string) =>
      operate(
        context,
        (operator) => operator.revokeApiKey(id),
        (revoked) => ({
          json: { id: revoked.id, revoked: true },
          message: `API key ${revoked.id} is revoked; tokens obtained with it stop working within 60 seconds.`,
        }),
      ),
    )

/** `api-key rotate ID [--overlap DURATION] [--expires never|ISO]` */
const rotate = (context: CliContext): Command =>
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
    .option('--expires <datetime>', ends('the new one'), futureInstantOrNever)
    .action((id: string, { overlap, expires }: Readonly<{ overlap?: number; expires?: Instant | 'never' }>) =>
      operate(
        context,
        (operator) => operator.rotateApiKey(given({ id, overlapSeconds: overlap, expiresAt: expires })),
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
    )

/** `api-key create | list | rotate | revoke` */
export const make = (context: CliContext): readonly Command[] =>
  [create, list, rotate, revoke].map((command) => command(context))
