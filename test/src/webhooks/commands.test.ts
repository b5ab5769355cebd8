import test, { type ExecutionContext } from 'ava'
import { connectSql } from '@account-import/adapter-sql'
import { join } from 'node:path'
import { cliInProcess } from '../support/cli-in-process.js'
import { newKey } from '../support/key-rings.js'
import { tempFolder } from '../support/temp-folder.js'
import { receiver, verified, withStatus } from './support/receiver.js'

const world = async (t: ExecutionContext, settings: Readonly<Record<string, string>> = {}) => {
  const environment = {
    DATABASE_URL: `sqlite:${join(await tempFolder(t), 'x.db')}`,
    DATA_DIR: await tempFolder(t),
    WEBHOOK_PRIVATE_ADDRESSES: 'on',
    ...settings,
  }
  const run = (line: string, more: Readonly<Record<string, string>> = {}) =>
    cliInProcess(line.split(' '), { ...environment, ...more })
  t.is((await run('migrate')).code, 0)
  t.is((await run('organisation create ACME')).code, 0)
  const add = async (url: string, more = '') => {
    const added = await run(`webhook add --organisation ACME ${url} --json${more}`)
    t.is(added.code, 0, added.stderr)
    return JSON.parse(added.stdout) as { id: string; secret: string; origin: string; events: string[] }
  }
  return { environment, run, add }
}

test('a webhook is added with a secret that is shown once, tested, rotated and removed', async (t) => {
  const { run, add } = await world(t)
  const { url, received, state } = await receiver(t)
  const { id, secret, origin, events } = await add(url, ' --event run.finished --event run.started')
  t.is(origin, new URL(url).origin)
  t.deepEqual(events, ['run.finished', 'run.started'])
  const tried = await run(`webhook test ${id}`)
  t.deepEqual([tried.code, tried.stderr], [0, 'The receiver accepted the message: http_204.\n'])
  t.like(received[0] && verified(secret, received[0]), { type: 'webhook.test', data: {} })
  const rotated = await run(`webhook rotate ${id} --overlap 7d`)
  t.is(rotated.code, 0)
  t.regex(rotated.stdout, /^whsec_\S{44}\n$/)
  t.regex(rotated.stderr, /printed only once.*\. The old one signs too until \d{4}-/)
  state.answer = withStatus(500)
  const failed = await run(`webhook test ${id} --json`)
  t.deepEqual([failed.code, JSON.parse(failed.stdout)], [1, { id, accepted: false, code: 'http_500' }])
  const last = received.at(-1)
  if (last === undefined) return t.fail('nothing was received')
  for (const one of [secret, rotated.stdout.trim()]) t.like(verified(one, last), { type: 'webhook.test' })
  const many = received.length
  const own = await run(`webhook test ${id}`, { WEBHOOK_PRIVATE_ADDRESSES: 'off' })
  t.is(own.code, 1)
  t.regex(own.stderr, /^Nothing was sent: /)
  t.is(received.length, many)
  t.is((await run(`webhook remove ${id}`)).code, 0)
  t.regex((await run('webhook list')).stderr, /There is no webhook yet/)
  for (const command of ['remove', 'rotate', 'test']) {
    const missing = await run(`webhook ${command} ${id} --json`)
    t.is(missing.code, 2)
    t.regex(missing.stdout + missing.stderr, /does_not_exist/)
  }
})

test('lists show neither secrets nor the path of an address, and show that a webhook is on', async (t) => {
  const { run, add } = await world(t)
  const { id, secret } = await add('https://hooks.example/imports?key=k1')
  const shown = await run('webhook list')
  t.regex(
    shown.stdout,
    new RegExp(
      `${id} +ACME +https://hooks.example +run.started,run.stalled,run.interrupted,run.finished +on`,
    ),
  )
  const listed = await run('webhook list --json')
  t.like(JSON.parse(listed.stdout), [
    { id, origin: 'https://hooks.example', disabled_at: null, latest_delivery_at: null, latest_error: null },
  ])
  for (const text of [shown.stdout, listed.stdout]) t.false(text.includes('key=k1') || text.includes(secret))
})

test('an address that the service may not reach is refused before anything is stored', async (t) => {
  const { run } = await world(t)
  for (const url of ['http://hooks.example/', 'https://127.0.0.1/', 'https://a:b@hooks.example/']) {
    const refused = await run(`webhook add --organisation ACME ${url} --json`, {
      WEBHOOK_PRIVATE_ADDRESSES: 'off',
    })
    t.is(refused.code, 2, url)
    t.regex(refused.stdout + refused.stderr, /input_not_valid/)
    t.regex(refused.stderr, /WEBHOOK_PRIVATE_ADDRESSES=on/)
  }
  t.is((await run('webhook list --json')).stdout, '[]\n')
})

test('ENCRYPTION_KEYS encrypts address and secret in the database, also after a change of keys and secret', async (t) => {
  const [old, key] = [newKey(), newKey()]
  const { environment, run, add } = await world(t, { ENCRYPTION_KEYS: old })
  const { url, received } = await receiver(t)
  const { id, secret } = await add(url)
  const knex = connectSql(environment.DATABASE_URL)
  t.teardown(() => knex.destroy())
  const kept = async () => JSON.stringify(await knex('webhooks'))
  const plain = [secret, 'whsec_', 'key=k1']
  for (const text of plain) t.false((await kept()).includes(text), text)
  const both = { ENCRYPTION_KEYS: `${key},${old}` }
  const rotated = await run(`webhook rotate ${id}`, both)
  for (const text of [...plain, rotated.stdout.trim()]) t.false((await kept()).includes(text), text)
  t.is((await run('encryption rewrap', both)).code, 0)
  const tried = await run(`webhook test ${id}`, { ENCRYPTION_KEYS: key })
  t.is(tried.code, 0, tried.stderr)
  t.like(received[0] && verified(secret, received[0]), { type: 'webhook.test' })
})
