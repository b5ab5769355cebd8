import { choice, list, optional, refine, required, struct, term } from '../codec/index.js'
import { type Webhook, type WebhookEvent, webhookEvents } from '../domain/webhook.js'
import { E, pipe } from '../fp.js'
import { organisationCode } from '../payloads/identifiers.js'
import type { Ports } from '../ports/index.js'
import type { WebhookAnswer } from '../ports/webhooks.js'
import { idFrom } from '../values/api-key.js'
import { type Instant, plusSeconds, toWireDatetime } from '../values/instant.js'
import type { OperatorRefusal, UseCaseResult } from '../checking/errors.js'
import { signingSecrets } from './webhooks.js'
import { checkInput, orDoesNotExist } from '../checking/check-payload.js'
import type { About, Abouts } from './about.js'

/** A webhook without its secrets; its address is reduced to scheme, host and port, as the rest may be a secret too. */
export type ShownWebhook = Omit<Webhook, 'secrets' | 'url'> & Readonly<{ origin: string }>

/** Webhooks, which notify an organisation of its import runs. */
export type WebhookOperatorUseCases = Readonly<{
  /**
   * `secret` is shown only once. `events`: all when absent. `url`: at most 2000 characters, without a name or a password in it,
   * and accepted by the sender.
   */
  addWebhook(
    input: Readonly<{ organisation: string; url: string; events?: readonly WebhookEvent[] }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ secret: string; webhook: ShownWebhook }>>
  listWebhooks(): UseCaseResult<never, readonly ShownWebhook[]>
  /** Sends a message of the type `webhook.test` once, also to a disabled webhook, and returns the response. */
  testWebhook(id: string): UseCaseResult<OperatorRefusal, WebhookAnswer>
  /**
   * Makes a new secret, which is shown only once. The old one signs too for `overlapSeconds` (0 or more), 24 hours when absent; a
   * secret from before an earlier rotation no longer signs.
   */
  rotateWebhook(
    input: Readonly<{ id: string; overlapSeconds?: number }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ secret: string; previousEndsAt: Instant }>>
  /** Its pending deliveries are not sent. */
  removeWebhook(id: string): UseCaseResult<OperatorRefusal, Readonly<{ id: string }>>
}>

type WebhookPorts = Pick<
  Ports,
  'clock' | 'organisations' | 'secrets' | 'settings' | 'webhooks' | 'webhookSender'
>

const usualOverlapSeconds = 24 * 60 * 60

const longestUrl = 2000

/** Base64 of the 32 random bytes: `Secrets` generates base64url without padding. */
const newSecret = ({ secrets }: WebhookPorts): string =>
  `whsec_${secrets.generate().replaceAll('-', '+').replaceAll('_', '/')}=`

const newId = ({ secrets }: WebhookPorts): string => idFrom(secrets.generate(), 16)

/** Scheme, host and port of an address; an id unchanged. */
const originOf = (url: string): string =>
  url.replace(/^([a-z]+:\/\/)?(?:[^/\\?#]*@)?([^/\\?#]*).*$/is, '$1$2')

/** The input may be an address in place of an id, and contain a secret. */
const ofWebhook = (id: string): About => ({ of: ['webhook', id], names: [originOf(String(id))] })

export const webhooksAbout: Abouts<WebhookOperatorUseCases> = {
  addWebhook: ({ organisation }) => ({ organisation, names: [organisation] }),
  listWebhooks: 'reads',
  testWebhook: ofWebhook,
  rotateWebhook: ({ id }) => ofWebhook(id),
  removeWebhook: ofWebhook,
}

/** As above, so the refusal names only its origin. */
const webhookDoesNotExist = (id: string) => orDoesNotExist('webhook', originOf(id))

const shown = ({ secrets: _secrets, url, ...webhook }: Webhook): ShownWebhook => ({
  ...webhook,
  origin: originOf(url),
})

const inputFor = ({ webhookSender }: WebhookPorts) =>
  struct('webhook', {
    organisation: required(organisationCode),
    url: required(
      refine(term(longestUrl), 'invalid', (url) => webhookSender.takes(url), {
        form: 'an https address that the service may reach, without a name, a password or a fragment',
      }),
    ),
    events: optional(list(choice(webhookEvents))),
  })

const existing = async ({ webhooks }: WebhookPorts, id: string): UseCaseResult<OperatorRefusal, Webhook> =>
  pipe(await webhooks.find(id), E.flatMap(webhookDoesNotExist(id)))

const add =
  (ports: WebhookPorts): WebhookOperatorUseCases['addWebhook'] =>
  async (raw) => {
    const checked = checkInput(ports)(inputFor(ports), raw)
    if (E.isLeft(checked)) return checked
    const { organisation, url, events = [] } = checked.right
    const owner = pipe(
      await ports.organisations.find(organisation),
      E.flatMap(orDoesNotExist('organisation', organisation)),
    )
    if (E.isLeft(owner)) return owner
    const webhook: Webhook = {
      id: newId(ports),
      organisation,
      url,
      events: events.length === 0 ? webhookEvents : [...new Set(events)],
      secrets: { current: newSecret(ports), previous: undefined },
      createdAt: ports.clock.now(),
      disabledAt: undefined,
      latestDeliveryAt: undefined,
      latestFailure: undefined,
      failingSince: undefined,
    }
    return pipe(
      await ports.webhooks.add(webhook),
      E.map(() => ({ secret: webhook.secrets.current, webhook: shown(webhook) })),
    )
  }

const test =
  (ports: WebhookPorts): WebhookOperatorUseCases['testWebhook'] =>
  async (id) => {
    const webhook = await existing(ports, id)
    if (E.isLeft(webhook)) return webhook
    const at = ports.clock.now()
    const body = JSON.stringify({ type: 'webhook.test', timestamp: toWireDatetime(at), data: {} })
    const secrets = signingSecrets(webhook.right, at)
    const message = { url: webhook.right.url, id: `msg_test_${newId(ports)}`, at, body, secrets }
    return E.right(await ports.webhookSender.send(message, new AbortController().signal))
  }

const rotate =
  (ports: WebhookPorts): WebhookOperatorUseCases['rotateWebhook'] =>
  async ({ id, overlapSeconds = usualOverlapSeconds }) => {
    // On a conflict with another rotation this one follows it, or finds that the webhook was removed.
    for (;;) {
      const webhook = await existing(ports, id)
      if (E.isLeft(webhook)) return webhook
      const known = webhook.right.secrets
      const secret = newSecret(ports)
      const previousEndsAt = plusSeconds(ports.clock.now(), overlapSeconds)
      const previous = { secret: known.current, endsAt: previousEndsAt }
      const isChanged = await ports.webhooks.changeSecrets(id, known, { current: secret, previous })
      if (E.isLeft(isChanged)) return isChanged
      if (isChanged.right) return E.right({ secret, previousEndsAt })
    }
  }

export const webhookOperatorUseCases = (ports: WebhookPorts): WebhookOperatorUseCases => ({
  addWebhook: add(ports),
  listWebhooks: async () =>
    pipe(
      await ports.webhooks.list(),
      E.map((webhooks) => webhooks.map(shown)),
    ),
  testWebhook: test(ports),
  rotateWebhook: rotate(ports),
  removeWebhook: async (id) =>
    pipe(
      await ports.webhooks.remove(id),
      E.flatMap((isRemoved) => webhookDoesNotExist(id)(isRemoved ? { id } : undefined)),
    ),
})
