import { setTimeout } from 'node:timers/promises'
import { createHttpServer, createMetricsApp } from '@account-import/adapter-http-koa'
import test from 'ava'
import { until } from '../servers/index.js'
import { listen } from '../support/http-server.js'

test('however many ask for /metrics, in turn or at once, one text is made in a second', async (t) => {
  let made = 0
  const app = createMetricsApp(
    async () => {
      made += 1
      await setTimeout(20)
      if (made === 1) throw new Error('the first one fails')
      return { contentType: 'text/plain', text: String(made) }
    },
    { log: () => undefined },
  )
  const metrics = `http://127.0.0.1:${await listen(t, createHttpServer(app.callback()))}/metrics`
  const read = async (): Promise<string> => (await fetch(metrics)).text()
  const since = performance.now()
  t.is((await fetch(metrics)).status, 500)
  const crowd = await Promise.all(Array.from({ length: 60 }, read))
  for (let turn = 0; turn < 20; turn += 1) crowd.push(await read())
  t.is(crowd[0], '2', 'what fails is not kept')
  const seconds = Math.ceil((performance.now() - since) / 1000)
  t.true(made <= 1 + seconds, `${made} texts in ${seconds} s`)
  await until(async () => Number(await read()) > 2, 'a text that is a second old is made anew')
})
