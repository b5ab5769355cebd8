import { joseAccessTokens, parseSigningKey } from '@account-import/adapter-access-tokens'
import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import type { UseCases } from '@account-import/core'
import { type Either, makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { acceptingOneError } from './planted.js'
import { setUpFacts, type FromThread } from './service.js'

const say = (message: FromThread): void => parentPort?.postMessage(message)

const { isFaulty } = workerData as { isFaulty: boolean }

const key = parseSigningKey(randomBytes(32).toString('base64'))
if (key === undefined) throw new Error('32 random bytes are a signing key')
const made = makeUseCases(
  inMemoryPorts({ accessTokens: joseAccessTokens(key), paymentVendors: paymentVendors([sandboxVendor()]) }),
)

/** Ports in memory answer at once; a database does not, so that concurrent requests overlap. */
const slowly =
  <Request, Refused, A>(
    useCase: (request: Request) => Promise<Either<Refused, A>>,
  ): ((request: Request) => Promise<Either<Refused, A>>) =>
  async (request) => {
    await setTimeout(10)
    return useCase(request)
  }
const slow: UseCases = {
  ...made,
  stageAccount: slowly(made.stageAccount),
  processAccount: slowly(made.processAccount),
  addNotes: slowly(made.addNotes),
  addTransactions: slowly(made.addTransactions),
  validateAccount: slowly(made.validateAccount),
}

const app = createApp(isFaulty ? acceptingOneError(slow) : slow, {
  log: (entry) => say({ logged: `${JSON.stringify(entry)}\n` }),
  readiness: () => Promise.resolve({ database: { state: 'ok' } }),
  metrics: () => Promise.resolve({ contentType: 'text/plain; charset=utf-8', text: '# none\n' }),
})

const { baseUrl, port } = await listen(app)
say({ port, facts: await setUpFacts(made.operator, baseUrl) })
