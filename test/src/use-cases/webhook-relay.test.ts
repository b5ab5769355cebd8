import test from 'ava'
import {
  type Ports,
  systemClock,
  type WebhookMessage,
  type WebhookOutcome,
  type WebhookSender,
} from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { type ChoreFailure, startBackgroundWork } from '@account-import/core/background'
import { failing, inMemoryWebhookSender } from '@account-import/core/in-memory'
import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { organisation, right, service } from './support/service.js'

const none = ({ chore }: ChoreFailure): never => {
  throw new Error(`${chore} failed`)
}

/** While `hang.on`, messages to the host `slow.example` get no answer before they are cut off. */
const hangingSender = (messages: WebhookMessage[]) => {
  const hang = { on: true }
  const sender = inMemoryWebhookSender(messages)
  const send: WebhookSender['send'] = async (message, signal) => {
    const answer = await sender.send(message, signal)
    if (!hang.on || !message.url.includes('slow.example')) return answer
    setMaxListeners(0, signal)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { _tag: 'stopped' }
  }
  return { webhookSender: { ...sender, send }, hang }
}

test('a hanging receiver delays no other, and its message is cut off at the stop and sent by the next relay', async (t) => {
  const outcomes: WebhookOutcome[] = []
  const messages: WebhookMessage[] = []
  const { webhookSender, hang } = hangingSender(messages)
  const { useCases, ports } = await service({ clock: systemClock, webhookSender })
  const add = (host: string) => right(useCases.operator.addWebhook({ organisation, url: `https://${host}/` }))
  const [slow, fast] = [await add('slow.example'), await add('fast.example')]
  const open = () => right(useCases.openImportRun({ organisation, payload: { import_supplier: 'LEVANTE' } }))
  const options = { webhooksMilliseconds: 2, onWebhook: (outcome: WebhookOutcome) => outcomes.push(outcome) }
  const work = startBackgroundWork(useCases, { ...options, onFailure: none })
  const ids = [(await open()).id, (await open()).id].map((id) => `msg_${id}_running`)
  while (outcomes.length < 2 || messages.length < 3) await setTimeout(1)
  t.deepEqual(
    outcomes.map(({ webhook }) => webhook),
    [fast.webhook.id, fast.webhook.id],
  )
  await work.stop(0)
  t.like(outcomes.at(-1), { webhook: slow.webhook.id, outcome: 'stopped' })
  hang.on = false
  const next = startBackgroundWork(makeUseCases(ports), { ...options, onFailure: none })
  while (outcomes.length < 5) await setTimeout(1)
  await next.stop()
  const delivered = outcomes.filter(
    ({ webhook, outcome }) => webhook === slow.webhook.id && outcome === 'delivered',
  )
  t.deepEqual(delivered.map(({ id }) => id).toSorted(), ids.toSorted())
})

test('a hundred hanging receivers delay no other', async (t) => {
  const messages: WebhookMessage[] = []
  const { webhookSender } = hangingSender(messages)
  const { useCases } = await service({ clock: systemClock, webhookSender })
  const add = (url: string) => right(useCases.operator.addWebhook({ organisation, url }))
  const open = () => right(useCases.openImportRun({ organisation, payload: { import_supplier: 'LEVANTE' } }))
  for (let index = 0; index < 100; index += 1) await add(`https://slow.example/${index}`)
  await open()
  await add('https://fast.example/')
  // Due after the messages that wait for the other receivers.
  await setTimeout(2)
  await open()
  const work = startBackgroundWork(useCases, { webhooksMilliseconds: 2, onFailure: none })
  const ended = Date.now() + 10_000
  const isTold = () => messages.some(({ url }) => url.includes('fast.example'))
  while (!isTold() && Date.now() < ended) await setTimeout(1)
  t.true(isTold())
  await work.stop(0)
})

test('a failing or throwing store of webhooks is reported, and called again later', async (t) => {
  const told: ChoreFailure[] = []
  const messages: WebhookMessage[] = []
  const { useCases, ports } = await service({
    clock: systemClock,
    webhookSender: inMemoryWebhookSender(messages),
  })
  await right(useCases.operator.addWebhook({ organisation, url: 'https://hooks.example/' }))
  await right(useCases.openImportRun({ organisation, payload: { import_supplier: 'LEVANTE' } }))
  let thrown = false
  const next: Ports['webhooks']['next'] = (...asked) => {
    if (thrown) return ports.webhooks.next(...asked)
    thrown = true
    throw new Error('against its word')
  }
  const webhooks = { ...failing(ports.webhooks, 'due', { times: 1 }), next }
  const importRuns = failing(ports.importRuns, 'noteStandstills', { times: 1 })
  const work = startBackgroundWork(makeUseCases({ ...ports, webhooks, importRuns }), {
    webhooksMilliseconds: 2,
    onFailure: (failed) => void told.push(failed),
  })
  while (messages.length === 0) await setTimeout(1)
  await work.stop()
  t.deepEqual(
    told.map(({ chore, failure: { operation } }) => [chore, operation]),
    [
      ['webhooks', 'noteStandstills'],
      ['webhooks', 'due'],
      ['webhooks', 'run'],
    ],
  )
})
