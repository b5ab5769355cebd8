import test from 'ava'
import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { httpWebhookSender } from '@account-import/adapter-payment-vendor'
import { createClient } from '@account-import/client'
import { portFailure } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { E, makeUseCases } from '@account-import/core/fp'
import { plusSeconds } from '@account-import/core/testing'
import { startBackgroundWork } from '@account-import/core/background'
import { importRunHeader } from '@account-import/http-contract'
import { post, stagePath } from '../http/support/serve.js'
import { until } from '../servers/index.js'
import {
  changed,
  leastText,
  organisation,
  right,
  service,
  settableClock,
} from '../use-cases/support/service.js'
import { receiver, verified } from './support/receiver.js'

test('a run for a store that accepts nothing is reported as stalled, and stays running', async (t) => {
  const receiving = await receiver(t)
  const webhookSender = httpWebhookSender({ allowPrivateAddress: true, sendSeconds: 20 })
  // The message is sent now: receivers take no other.
  const clock = settableClock(new Date(Date.now() - 660_000).toISOString())
  const { ports, useCases } = await service({ webhookSender, clock })
  const startedAt = clock.now()
  const { secret } = await right(
    useCases.operator.addWebhook({ organisation, url: receiving.url, events: ['run.stalled'] }),
  )
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation }))
  const away = E.left(portFailure('unavailable', 'accountImports', 'stage', new Error('away')))
  const failing = makeUseCases(changed(ports, 'accountImports', { stage: async () => away }))
  const log = (): void => undefined
  const { baseUrl, close } = await listen(createApp(failing, { log }), { log })
  t.teardown(close)
  const client = createClient({ baseUrl, apiKey })
  const { token } = await right(useCases.obtainToken({ credentials: { apiKey }, address: '127.0.0.1' }))
  const opened = await client.openImportRun({ import_supplier: 'LEVANTE' })
  if (!opened.ok) return t.fail(opened.problem.code)
  const { id } = opened.body
  const work = startBackgroundWork(useCases, { webhooksMilliseconds: 5 })
  t.teardown(() => work.stop())
  for (let minute = 0; minute < 11; minute += 1) {
    clock.pass(60)
    const headers = { Authorization: `Token ${token}`, [importRunHeader]: id }
    t.is((await post(baseUrl + stagePath, leastText('A'), headers)).status, 503)
  }
  await until(async () => receiving.received.length > 0, 'the stall is told')
  const [message] = receiving.received
  t.like(message && verified(secret, message), {
    type: 'run.stalled',
    timestamp: toWireDatetime(plusSeconds(startedAt, 600)),
    data: { import_run: id, state: 'running' },
  })
  const shown = await client.importRun(id)
  t.like(shown.ok && shown.body, {
    state: 'running',
    latest_request_at: toWireDatetime(clock.now()),
    latest_progress_at: toWireDatetime(startedAt),
  })
})
