import {
  type OperatorRefusal,
  type PortFailure,
  type ShownWebhook,
  type WebhookEvent,
  webhookEvents,
} from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/fp'
import {
  collected,
  duration,
  exitCode,
  given,
  latestErrorJson,
  leafCommand,
  listed,
  oneOf,
  timeJson,
  typed,
} from '@account-import/cli/kit'
import { operatorCommands } from '../operate.js'

/** The JSON form of a webhook for `--json`: scheme, host and port of its address, and no secret. */
const webhookJson = (webhook: ShownWebhook) => ({
  id: webhook.id,
  organisation: webhook.organisation,
  origin: webhook.origin,
  events: webhook.events,
  created_at: toWireDatetime(webhook.createdAt),
  disabled_at: timeJson(webhook.disabledAt),
  latest_delivery_at: timeJson(webhook.latestDeliveryAt),
  failing_since: timeJson(webhook.failingSince),
  latest_error: latestErrorJson(webhook.latestFailure),
})

const privateAddresses =
  ' A private address or one of this machine is taken if WEBHOOK_PRIVATE_ADDRESSES=on is set for this command and for the service.'

/** The core knows no variables, so its refusal of an address does not name the one that allows more addresses. */
const withVariable = (refusal: OperatorRefusal | PortFailure): OperatorRefusal | PortFailure =>
  refusal._tag !== 'InputNotValid'
    ? refusal
    : {
        ...refusal,
        errors: refusal.errors.map((error) =>
          error.attr === 'url' ? { ...error, detail: error.detail + privateAddresses } : error,
        ),
      }

type AddOptions = Readonly<{ organisation: string; event?: readonly WebhookEvent[] }>

const idCommand = (name: string, description: string) =>
  leafCommand(name, description).argument('<id>', 'the id that webhook list shows')

const keepIt = 'Keep the secret now: it is printed only once. The receiver verifies signatures with it.'

const stateOf = ({ disabled_at: disabledAt, latest_error: error }: ReturnType<typeof webhookJson>): string =>
  disabledAt === null ? 'on' : `disabled at ${disabledAt}${error === null ? '' : `: ${error.code}`}`

/** `webhook add | list | test | rotate | remove` */
export const make = operatorCommands(({ command }) => [
  command(
    leafCommand(
      'add',
      'Send messages about import runs of an organisation to an address; prints the secret once.',
    )
      .example(
        'webhook add --organisation ACME https://hooks.acme.example/imports',
        '(umask 077; account-import webhook add --organisation ACME https://hooks.acme.example/imports > secret)',
      )
      .argument('<url>', 'the https address that messages are sent to')
      .requiredOption('--organisation <code>', 'the organisation')
      .option(
        '--event <event>',
        `only these, repeatable: ${webhookEvents.join(', ')} (default: all)`,
        collected(oneOf(webhookEvents)),
      ),
    async ({ operator, config }, url: string, { organisation, event: events }: AddOptions) =>
      E.mapLeft(config.webhookPrivateAddresses ? (same) => same : withVariable)(
        await operator.addWebhook(given({ organisation, url, events })),
      ),
    ({ secret, webhook }) => ({
      json: { secret, ...webhookJson(webhook) },
      result: secret,
      message: `${keepIt} Try it with: ${typed(`webhook test ${webhook.id}`)}`,
    }),
  ),
  command(
    leafCommand('list', 'Show all webhooks, without secrets and paths.').example(
      'webhook list',
      'webhook list --json',
    ),
    ({ operator }) => operator.listWebhooks(),
    listed(
      webhookJson,
      [
        ['ID', ({ id }) => id],
        ['ORGANISATION', ({ organisation }) => organisation],
        ['HOST', ({ origin }) => origin],
        ['EVENTS', ({ events }) => events.join(',')],
        ['STATE', stateOf],
        ['LATEST DELIVERY', (webhook) => webhook.latest_delivery_at ?? '-'],
        [
          'LATEST ERROR',
          ({ latest_error: error }) => (error ? `${error.code} at ${error.occurred_at}` : '-'),
        ],
      ],
      `There is no webhook yet. Add one with: ${typed('webhook add --organisation CODE URL')}`,
    ),
  ),
  command(
    idCommand('test', 'Send a signed message of the type webhook.test now, and print its result.').example(
      'webhook test Qm3xT8vB2nL6sA4k',
    ),
    ({ operator }, id: string) => operator.testWebhook(id),
    (response, id) => {
      const code = response._tag === 'stopped' ? response._tag : response.code
      const accepted = response._tag === 'accepted'
      return {
        json: { id, accepted, code },
        message: accepted
          ? `The receiver accepted the message: ${code}.`
          : code === 'address'
            ? 'Nothing was sent: the service may not send to the address of this webhook. It has to be https, and outside of the own network unless WEBHOOK_PRIVATE_ADDRESSES=on.'
            : `The receiver did not accept the message: ${code}. It has to respond with a status of 200 to 299.`,
        exitCode: accepted ? exitCode.done : exitCode.dataHasFailures,
      }
    },
  ),
  command(
    idCommand('rotate', 'Make a new secret, and print it once; both secrets sign for the overlap.')
      .example('(umask 077; account-import webhook rotate Qm3xT8vB2nL6sA4k --overlap 7d > secret)')
      .option(
        '--overlap <duration>',
        'how long the old secret signs too: 0, 30m, 24h, 7d (default: 24h)',
        duration,
      ),
    ({ operator }, id: string, { overlap }: Readonly<{ overlap?: number }>) =>
      operator.rotateWebhook(given({ id, overlapSeconds: overlap })),
    ({ secret, previousEndsAt }, id) => ({
      json: { id, secret, previous_ends_at: toWireDatetime(previousEndsAt) },
      result: secret,
      message: `${keepIt} The old one signs too until ${toWireDatetime(previousEndsAt)}.`,
    }),
  ),
  command(
    idCommand('remove', 'Remove a webhook; messages that wait for it are not sent.').example(
      'webhook remove Qm3xT8vB2nL6sA4k',
    ),
    ({ operator }, id: string) => operator.removeWebhook(id),
    (_, id) => ({ json: { id, removed: true }, message: `Webhook ${id} is removed.` }),
  ),
])
