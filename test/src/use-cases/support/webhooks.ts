import type { Ports, UseCases, WebhookAnswer, WebhookMessage, WebhookOutcome } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { inMemoryWebhookSender } from '@account-import/core/in-memory'
import { organisation, right, service } from './service.js'

export const url = 'https://hooks.example/imports?key=k1'

/** A service with a webhook; sent messages are in `messages`, and get the response `answer.next`. */
export const withWebhook = async (yours: Partial<Ports> = {}) => {
  const messages: WebhookMessage[] = []
  const answer: { next: WebhookAnswer } = { next: { _tag: 'accepted', code: 'http_200' } }
  const webhookSender = inMemoryWebhookSender(messages, () => answer.next)
  const made = await service({ webhookSender, ...yours })
  const { secret, webhook } = await right(made.useCases.operator.addWebhook({ organisation, url }))
  const shown = async () => (await right(made.useCases.operator.listWebhooks()))[0]
  return { ...made, messages, answer, secret, id: webhook.id, shown }
}

export const openRun = ({ openImportRun }: UseCases) =>
  right(openImportRun({ organisation, payload: { import_supplier: 'LEVANTE' } }))

/** Sends the due messages of the webhook: the outcomes, or `failed` for a failure of a port. */
export const delivered = async (
  { webhooks }: UseCases,
  id: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly (WebhookOutcome | 'failed')[]> => {
  const outcomes: (WebhookOutcome | 'failed')[] = []
  for await (const outcome of await right(webhooks.deliver(id, signal)))
    outcomes.push(E.isRight(outcome) ? outcome.right : 'failed')
  return outcomes
}

/** An attempt that may work later. */
export const failed = (code: string, retryAfterSeconds?: number): WebhookAnswer => ({
  _tag: 'failed',
  code,
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
})
