import test, { type ExecutionContext } from 'ava'
import { graphqlAddress, obtainTokenMutation } from '@account-import/http-contract'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'

type Try = (client: string) => Promise<string>

/** Tries a wrong key, as the proxy passes it on for a client; gives the code of the refusal. */
const tryingOn = async (t: ExecutionContext, environment: Record<string, string>): Promise<Try> => {
  const { address } = await serveProcess(t, { DATA_DIR: await tempFolder(t), ...environment })
  return async (client) => {
    const response = await fetch(address + graphqlAddress.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `spoofed, ${client}` },
      body: JSON.stringify({ query: obtainTokenMutation, variables: { input: { apiKey: 'wrong' } } }),
    })
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] }
    return errors[0]?.extensions.code ?? 'none'
  }
}

const lockedOut = async (attempt: Try, client: string): Promise<void> => {
  for (let count = 0; count < 11; count += 1) await attempt(client)
}

test('with TRUST_PROXY one client that fails too often does not lock out the others behind the proxy', async (t) => {
  const attempt = await tryingOn(t, { TRUST_PROXY: 'on' })
  await lockedOut(attempt, '203.0.113.1')
  t.is(await attempt('203.0.113.1'), 'TOO_MANY_ATTEMPTS')
  t.is(await attempt('203.0.113.2'), 'AUTHENTICATION_FAILED')
})

test('without TRUST_PROXY a client cannot choose its address by a header', async (t) => {
  const attempt = await tryingOn(t, {})
  await lockedOut(attempt, '203.0.113.1')
  t.is(await attempt('203.0.113.2'), 'TOO_MANY_ATTEMPTS')
})
