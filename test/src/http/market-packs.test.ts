import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { bundledMarkets, defaultServiceSettings } from '@account-import/core'
import test from 'ava'
import { validatePath } from './support/serve.js'
import { portugal } from '../support/portugal.js'
import { organisation, right, service } from '../use-cases/support/service.js'
import { accountWith } from '../validation/support.js'

const code = 'invalid_portuguese_postcode'
const markets = [...bundledMarkets, portugal]

const account = {
  ...accountWith({
    supply_addresses: [
      {
        supply_address: { postal_code: '1000', country: 'PT' },
        customer_at_supply_address_from_date: '2024-01-01',
        supply_points: [],
      },
    ],
  }),
  import_supplier: 'LEVANTE',
}

test('a service with a market pack from outside answers and documents its code over HTTP', async (t) => {
  const { useCases } = await service({ settings: { ...defaultServiceSettings, markets } })
  await right(
    useCases.operator.configureSupplier({
      code: 'LEVANTE',
      change: (saved) => ({ ...saved, severities: { [code]: 'error' } }),
    }),
  )
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation }))
  const { token } = await right(useCases.obtainToken({ credentials: { apiKey }, address: '127.0.0.1' }))
  const log = (): void => undefined
  const { baseUrl, close } = await listen(createApp(useCases, { log, markets }), { log })
  t.teardown(close)

  const answer = await fetch(`${baseUrl}${validatePath}`, {
    method: 'POST',
    headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
  })
  const text = await answer.text()
  t.is(answer.status, 400, text)
  t.true(text.includes(`"${code}"`), text)

  const page = await fetch(`${baseUrl}/docs/errors/${code}/`)
  t.is(page.status, 200)
  t.true((await page.text()).includes('has another form than 1000-001'))
  t.true((await (await fetch(`${baseUrl}/docs/errors/`)).text()).includes(code))
  t.true((await (await fetch(`${baseUrl}/openapi.json`)).text()).includes(code))
})

test('a service without the pack has no page for its code', async (t) => {
  const { useCases } = await service()
  const log = (): void => undefined
  const { baseUrl, close } = await listen(createApp(useCases, { log }), { log })
  t.teardown(close)
  t.is((await fetch(`${baseUrl}/docs/errors/${code}/`)).status, 404)
})
