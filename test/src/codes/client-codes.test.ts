import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, type JsonObject } from '@account-import/client'
import { TE } from '@account-import/core/adapter-kit'
import test, { type ExecutionContext } from 'ava'
import { failureIn, issuing } from '../http/support/for-clients.js'
import { serve } from '../http/support/serve.js'

test('a refusal has its code, and the address of the page that explains it', async (t) => {
  const refusing = { ...issuing([]), stageAccount: () => TE.left({ _tag: 'AccountMarkedToSkip' as const }) }
  const { baseUrl } = await serve(t, refusing, { basePath: '/imports' })
  const client = createClient({ baseUrl: `${baseUrl}/imports/`, apiKey: 'k' })
  const { code, docsUrl } = failureIn(t, await client.stageAccount({} as JsonObject))
  t.is(code, 'account_marked_to_skip')
  t.is(docsUrl, `${baseUrl}/imports/docs/errors/account_marked_to_skip/`)
  t.regex(await (await fetch(docsUrl ?? '')).text(), /The operator marked this account/)
})

test('a refused key has the code that it has elsewhere', async (t) => {
  const { baseUrl } = await serve(t, { obtainToken: () => TE.left({ _tag: 'AuthenticationFailed' }) })
  const { code, docsUrl } = failureIn(
    t,
    await createClient({ baseUrl, apiKey: 'k' }).stageAccount({} as JsonObject),
  )
  t.is(code, 'authentication_failed')
  t.is(docsUrl, `${baseUrl}/docs/errors/authentication_failed/`)
})

/** A server that refuses everything with a code that no catalogue has. */
const newerService = async (t: ExecutionContext): Promise<string> => {
  const server = createServer((_, response) => {
    response.writeHead(400, { 'Content-Type': 'application/json' })
    response.end('{"detail":"New.","code":"of_tomorrow","errors":[]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a code of a newer service is said to be unknown, and stays in the problem', async (t) => {
  const client = createClient({ baseUrl: await newerService(t), apiKey: 'k' })
  const failure = failureIn(t, await client.stageAccount({} as JsonObject))
  t.is(failure.code, 'unknown_code')
  t.is(failure.problem.code, 'of_tomorrow')
  t.is(failure.docsUrl, undefined)
})

test('what the client itself finds has no page', async (t) => {
  const { baseUrl } = await serve(t, issuing([]))
  const failure = failureIn(t, await createClient({ baseUrl, apiKey: 'k' }).transferStatus('S', '..'))
  t.is(failure.code, 'address_not_possible')
  t.is(failure.docsUrl, undefined)
})
