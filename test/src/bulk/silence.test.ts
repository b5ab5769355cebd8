import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createApp } from '@account-import/adapter-http-koa'
import { listen, movingBody } from '@account-import/adapter-http-koa/testing'
import { E, TE } from '@account-import/core/adapter-kit'
import type { BulkLine } from '@account-import/core'
import test, { type ExecutionContext } from 'ava'
import { rawExchange, statusesIn } from '../http/support/raw-exchange.js'
import { someUseCases } from '../http/support/some-use-cases.js'
import { serve, stagePath } from '../http/support/serve.js'
import { openBulk, wholeAnswer } from '../support/bulk-exchange.js'

async function* validOf(lines: AsyncIterable<BulkLine>) {
  for await (const { line } of lines)
    yield [{ line, externalAccountNumber: undefined, outcome: E.right({ warnings: [] }) }]
}

/** A server on which a request may take 300 ms to arrive. */
const impatient = async (t: ExecutionContext) => {
  const useCases = someUseCases({ bulkValidate: ({ lines }) => TE.right(validOf(lines)) })
  const server = await listen(createApp(useCases, { log: () => undefined }), {
    requestTimeoutMilliseconds: 300,
  })
  t.teardown(server.close)
  return server
}

test('a body of lines may take longer than any other request, as long as it moves', async (t) => {
  const { baseUrl } = await impatient(t)
  const { sending, answer } = openBulk('bulkValidate', { baseUrl, token: 'good' })
  for (let line = 0; line < 15; line++) {
    sending.write('{}\n')
    await delay(100)
  }
  sending.end()
  t.deepEqual((await wholeAnswer(await answer)).summary, { received: 15, valid: 15, failed: 0 })
})

test('any other body still has to come in time', async (t) => {
  const { port } = await impatient(t)
  const head = `POST ${stagePath} HTTP/1.1\r\nHost: x\r\nAuthorization: Token good\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`
  const received = await rawExchange(port, [`${head}{`])
  t.deepEqual(statusesIn(received), [408])
})

/** What became of a body that is read by a server which bears 200 ms of silence. */
const readBy = async (
  t: ExecutionContext,
  read: (chunks: AsyncIterable<Buffer>) => Promise<string>,
): Promise<Readonly<{ port: number; outcome: Promise<string> }>> => {
  let tell: (outcome: string) => void = () => undefined
  const outcome = new Promise<string>((resolve) => (tell = resolve))
  const server = createServer((request: IncomingMessage) => {
    read(movingBody(request, 200)).then(tell, (cause: NodeJS.ErrnoException) => tell(String(cause.code)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, outcome }
}

const begun = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc'

test('a body of which nothing comes though it is waited for ends with its connection', async (t) => {
  const { port, outcome } = await readBy(t, async (chunks) => {
    for await (const chunk of chunks) void chunk
    return 'whole'
  })
  const since = performance.now()
  await t.throwsAsync(rawExchange(port, [begun]).then((text) => Promise.reject(new Error(`ended: ${text}`))))
  t.is(await outcome, 'ECONNABORTED')
  t.true(performance.now() - since >= 190)
})

test('time in which nobody asks for more is no silence', async (t) => {
  const { port, outcome } = await readBy(t, async (chunks) => {
    for await (const chunk of chunks) {
      await delay(700)
      return String(chunk)
    }
    return 'nothing'
  })
  await rawExchange(port, [begun], (socket) => setTimeout(() => socket.destroy(), 1000))
  t.is(await outcome, 'abc')
})

test('a client that goes away in the middle of its lines is no error, and the log has the counts so far', async (t) => {
  const { baseUrl, logged } = await serve(t, {
    bulkValidate: ({ lines }) => TE.right(validOf(lines)),
  })
  const { sending, answer } = openBulk('bulkValidate', { baseUrl, token: 'good' })
  sending.on('error', () => undefined)
  sending.write('{}\n{}\n{"half":')
  const response = await answer
  response.on('error', () => undefined)
  await new Promise((resolve) => response.once('data', resolve))
  sending.destroy()
  while (logged.length === 0) await delay(10)
  t.like(logged[0], {
    status: 200,
    aborted: true,
    level: 'info',
    counts: { received: 2, valid: 2, failed: 0 },
  })
  t.is(logged[0]?.failure, undefined)
})
