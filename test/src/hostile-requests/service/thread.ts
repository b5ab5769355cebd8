import { joseAccessTokens, parseSigningKey } from '@account-import/adapter-access-tokens'
import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import { makeUseCases, type UseCases } from '@account-import/core'
import type { TaskEither } from '@account-import/core/adapter-kit'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromThread } from './in-thread.js'
import { planted } from './planted.js'
import { setUpFacts } from './set-up-facts.js'

const say = (message: FromThread): void => parentPort?.postMessage(message)

const {
  useCases: changed = () => ({}),
  around,
  logs,
} = planted[(workerData as { plant?: string }).plant ?? ''] ?? {}

const key = parseSigningKey(randomBytes(32).toString('base64'))
if (key === undefined) throw new Error('32 random bytes are a signing key')
const made = makeUseCases(
  inMemoryPorts({ accessTokens: joseAccessTokens(key), paymentVendors: paymentVendors([sandboxVendor()]) }),
)

/** Ports in memory answer at once; a database does not, and requests that come at one moment meet. */
const slowly = <Request, Refused, A>(
  useCase: (request: Request) => TaskEither<Refused, A>,
): ((request: Request) => TaskEither<Refused, A>) => {
  return (request) => async () => {
    await setTimeout(10)
    return useCase(request)()
  }
}
const slow: UseCases = {
  ...made,
  stageAccount: slowly(made.stageAccount),
  processAccount: slowly(made.processAccount),
  addNotes: slowly(made.addNotes),
  addTransactions: slowly(made.addTransactions),
  validateAccount: slowly(made.validateAccount),
}

const app = createApp(
  { ...slow, ...changed(slow) },
  {
    log: (entry) => say({ logged: `${JSON.stringify(entry)}\n` }),
    readiness: () => Promise.resolve({ database: { state: 'ok' } }),
    metrics: () => Promise.resolve({ contentType: 'text/plain; charset=utf-8', text: '# none\n' }),
  },
)
// Inside of what is around every request.
if (around !== undefined) app.middleware.splice(1, 0, around)
if (logs !== undefined)
  app.middleware.unshift((ctx, next) => {
    say({ logged: `${logs(ctx.req.url ?? '')}\n` })
    return next()
  })

const { baseUrl, port } = await listen(app)
say({ port, facts: await setUpFacts(made.operator, baseUrl) })
