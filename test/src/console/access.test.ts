import test from 'ava'
import { right } from '../use-cases/support/service.js'
import { codeIn, cookieOf, sendForm, servedConsole } from './support/served-console.js'

const statusWith = async (address: string, cookie: string): Promise<string> =>
  codeIn(await fetch(address, { headers: { Cookie: cookie } }))

test('a right key gets a cookie that scripts and other sites cannot read, for 12 hours at most, and leads to the requested page', async (t) => {
  const { home, keyOf, logged } = await servedConsole(t)
  const answer = await sendForm(`${home}log-in/`, { api_key: ` ${await keyOf()}\n`, to: 'check/?a=b' })
  t.is(answer.status, 303)
  t.is(answer.headers.get('location'), '../check/?a=b')
  const [cookie = '', ...others] = answer.headers.getSetCookie()
  t.regex(cookie, /^__Host-account-import=[^;]+; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict$/)
  t.deepEqual(others, [])
  t.is(await statusWith(`${home}check/`, cookie.replace(/;.*/, '')), '200 undefined')
  t.like(logged.at(-1), { route: '/console/check/', status: 200, organisation: 'ACME' })
  t.false(JSON.stringify(logged).includes(cookie.slice(24, 60)))
})

test('logging out ends the session at the server, so that a copy of the cookie opens nothing, and is an audit event', async (t) => {
  const { home, keyOf, useCases } = await servedConsole(t)
  const cookie = await cookieOf(home, await keyOf())
  t.is(await statusWith(`${home}check/`, cookie), '200 undefined')
  const answer = await sendForm(`${home}log-out/`, {}, { Cookie: cookie })
  t.is(`${answer.status} ${answer.headers.get('location')}`, '303 ../')
  t.deepEqual(answer.headers.getSetCookie(), [
    '__Host-account-import=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict',
  ])
  t.is(await statusWith(`${home}check/`, cookie), '401 authentication_failed')
  const events: string[] = []
  for await (const page of await right(useCases.audit.list({ organisation: 'ACME' })))
    events.push(...(await right(page)).map(({ entry }) => entry.what))
  t.true(events.includes('logged_out'))
})
