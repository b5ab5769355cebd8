import { type Instant, type ShownWebhook, type WebhookEvent, webhookEvents } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import type { Command } from 'commander'
import { typed } from '../../program-name.js'
import { collected, duration, given, oneOf } from '../arguments.js'
import { type CliContext, exitCode, leafCommand } from '../command.js'
import { operate } from '../operate.js'
import { listed } from '../output.js'

const datetime = (instant: Instant | undefined): string | null =>
  instant === undefined ? null : toWireDatetime(instant)

/** A webhook as `--json` shows it: of its address scheme, host and port, and no secret. */
const webhookJson = (webhook: ShownWebhook) => ({
  id: webhook.id,
  organisation: webhook.organisation,
  origin: webhook.origin,
  events: webhook.events,
  created_at: toWireDatetime(webhook.createdAt),
  disabled_at: datetime(webhook.disabledAt),
  latest_delivery_at: datetime(webhook.latestDeliveryAt),
  failing_since: datetime(webhook.failingSince),
  latest_error:
    webhook.latestFailure === undefined
      ? null
      : { code: webhook.latestFailure.code, occurred_at: toWireDatetime(webhook.latestFailure.occurredAt) },
})

type AddOptions = Readonly<{ organisation: string; event?: readonly WebhookEvent[] }>

const keepIt = 'Keep the secret now: it is shown this once. The receiver verifies signatures with it.'

const add = (context: CliContext): Command =>
  leafCommand('add', 'Tell an address of the import runs of an organisation; its secret is shown this once.')
    .argument('<url>', 'the https address that messages are sent to')
    .requiredOption('--organisation <code>', 'the organisation')
    .option(
      '--event <event>',
      `only these, repeatable: ${webhookEvents.join(', ')}; all when left out`,
      collected(oneOf(webhookEvents)),
    )
    .action((url: string, { organisation, event: events }: AddOptions) =>
      operate(
        context,
        (operator) => operator.addWebhook(given({ organisation, url, events })),
        ({ secret, webhook }) => ({
          json: { secret, ...webhookJson(webhook) },
          result: secret,
          message: `${keepIt} Try it with: ${typed(`webhook test ${webhook.id}`)}`,
        }),
      ),
    )

const stateOf = ({ disabledAt, latestFailure }: ShownWebhook): string =>
  disabledAt === undefined
    ? 'on'
    : `disabled at ${toWireDatetime(disabledAt)}${latestFailure === undefined ? '' : `: ${latestFailure.code}`}`

const rowOf = (webhook: ShownWebhook): readonly string[] => [
  webhook.id,
  webhook.organisation,
  webhook.origin,
  webhook.events.join(','),
  stateOf(webhook),
  datetime(webhook.latestDeliveryAt) ?? '-',
  webhook.latestFailure === undefined
    ? '-'
    : `${webhook.latestFailure.code} at ${toWireDatetime(webhook.latestFailure.occurredAt)}`,
]

const list = (context: CliContext): Command =>
  leafCommand('list', 'Show all webhooks, without secrets and paths.').action(() =>
    operate(
      context,
      (operator) => operator.listWebhooks(),
      (webhooks) => ({
        json: webhooks.map(webhookJson),
        ...listed(
          ['ID', 'ORGANISATION', 'HOST', 'EVENTS', 'STATE', 'LATEST DELIVERY', 'LATEST ERROR'],
          webhooks.map(rowOf),
          `There is no webhook yet. Add one with: ${typed('webhook add --organisation CODE URL')}`,
        ),
      }),
    ),
  )

const test = (context: CliContext): Command =>
  leafCommand('test', 'Send a signed message of the type webhook.test now, and say what came back.')
    .argument('<id>', 'the id that webhook list shows')
    .action((id: string) =>
      operate(
        context,
        (operator) => operator.testWebhook(id),
        (answer) => {
          const code = answer._tag === 'stopped' ? answer._tag : answer.code
          const accepted = answer._tag === 'accepted'
          return {
            json: { id, accepted, code },
            message: accepted
              ? `The receiver took the message over: ${code}.`
              : `The message was not taken over: ${code}. The receiver has to answer with a status of 200 to 299.`,
            exitCode: accepted ? exitCode.done : exitCode.dataHasFailures,
          }
        },
      ),
    )

const rotate = (context: CliContext): Command =>
  leafCommand('rotate', 'Make a new secret; for a while the old one signs beside it. It is shown this once.')
    .argument('<id>', 'the id that webhook list shows')
    .option(
      '--overlap <duration>',
      'how long the old secret signs too: 0, 30m, 24h, 7d; 24h when left out',
      duration,
    )
    .action((id: string, { overlap }: Readonly<{ overlap?: number }>) =>
      operate(
        context,
        (operator) => operator.rotateWebhook(given({ id, overlapSeconds: overlap })),
        ({ secret, previousEndsAt }) => ({
          json: { id, secret, previous_ends_at: toWireDatetime(previousEndsAt) },
          result: secret,
          message: `${keepIt} The old one signs too until ${toWireDatetime(previousEndsAt)}.`,
        }),
      ),
    )

const remove = (context: CliContext): Command =>
  leafCommand('remove', 'Remove a webhook; messages that wait for it are not sent.')
    .argument('<id>', 'the id that webhook list shows')
    .action((id: string) =>
      operate(
        context,
        (operator) => operator.removeWebhook(id),
        () => ({ json: { id, removed: true }, message: `Webhook ${id} is removed.` }),
      ),
    )

/** `webhook add | list | test | rotate | remove` */
export const make = (context: CliContext): readonly Command[] =>
  [add, list, test, rotate, remove].map((command) => command(context))
