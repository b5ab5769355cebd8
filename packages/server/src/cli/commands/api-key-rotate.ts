import type { Command } from 'commander'
import type { Instant } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { duration } from '../arguments/duration.js'
import { futureInstantOrNever } from '../arguments/future-instant-or-never.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import { leafCommand } from '../leaf-command.js'
import { operate } from '../operate.js'
import { apiKeyJson } from '../output/api-key-json.js'

type Options = JsonOption & Readonly<{ overlap?: number; expires?: Instant | 'never' }>

/** `api-key rotate ID [--overlap DURATION] [--expires never|ISO]` */
export const rotateApiKey = (context: CliContext): Command =>
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
    .option(
      '--expires <datetime>',
      'when the new one ends, such as 2030-12-31T00:00:00Z, or never; after 365 days when left out',
      futureInstantOrNever,
    )
    .action((id: string, options: Options) =>
      operate(
        context,
        options,
        (operator) =>
          operator.rotateApiKey({
            id,
            ...(options.overlap !== undefined && { overlapSeconds: options.overlap }),
            ...(options.expires !== undefined && { expiresAt: options.expires }),
          }),
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
