import test from 'ava'
import { httpWebhookSender, type Resolve } from '@account-import/adapter-payment-vendor'
import { instantOf, type WebhookAnswer, type WebhookMessage } from '@account-import/core'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { blocksOf } from '../docs/readme.js'
import { freePort, until } from '../servers/index.js'
import { root } from '../support/repository.js'
import { switchVerificationOff } from '../support/unverified-tls.js'
import { type Answer, receiver, verified, withStatus } from './support/receiver.js'

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

const message = (url: string, changed: Partial<WebhookMessage> = {}): WebhookMessage => ({
  url,
  id: 'msg_1',
  at: instantOf(Date.now()),
  body: JSON.stringify({ type: 'run.finished', timestamp: '2025-09-01T10:00:00Z', data: { name: 'Ñ' } }),
  secrets: [newSecret()],
  ...changed,
})

const never = new AbortController().signal

const own = httpWebhookSender({ allowPrivateAddress: true, sendSeconds: 20 })
/** For receivers that never answer. */
const hasty = httpWebhookSender({ allowPrivateAddress: true, sendSeconds: 1 })
const guarded = httpWebhookSender({ allowPrivateAddress: false, sendSeconds: 1 })

const sent = (url: string, changed: Partial<WebhookMessage> = {}, signal = never): Promise<WebhookAnswer> =>
  own.send(message(url, changed), signal)

test('a message is signed by each secret, so that the package of receivers verifies it with either', async (t) => {
  const { url, received } = await receiver(t)
  const secrets = [newSecret(), newSecret()]
  t.deepEqual(await sent(url, { secrets }), { _tag: 'accepted', code: 'http_204' })
  const [one] = received
  if (one === undefined) return t.fail('nothing was received')
  t.is(one.path, '/imports?key=k1')
  t.like(one.headers, { 'content-type': 'application/json', 'webhook-id': 'msg_1' })
  t.regex(String(one.headers['webhook-signature']), /^v1,\S{44} v1,\S{44}$/)
  for (const secret of secrets) t.like(verified(secret, one), { type: 'run.finished', data: { name: 'Ñ' } })
  t.throws(() => verified(newSecret(), one), { message: /signature/i })
  for (const forged of [
    { ...one, body: one.body.replace('finished', 'started') },
    { ...one, headers: { ...one.headers, 'webhook-id': 'msg_2' } },
    {
      ...one,
      headers: { ...one.headers, 'webhook-timestamp': String(Number(one.headers['webhook-timestamp']) - 1) },
    },
  ])
    t.throws(() => verified(secrets[0] ?? '', forged), { message: /signature/i })
})

for (const [title, answer, expected] of [
  ['a server error', withStatus(500), { _tag: 'failed', code: 'http_500' }],
  ['a refusal', withStatus(404), { _tag: 'failed', code: 'http_404' }],
  [
    'a pause',
    withStatus(429, { 'retry-after': '7' }),
    { _tag: 'failed', code: 'http_429', retryAfterSeconds: 7 },
  ],
  [
    'a pause until a day',
    withStatus(503, { 'retry-after': 'Sun Nov  8 12:00:30 2026', date: 'Sun, 08 Nov 2026 12:00:00 GMT' }),
    { _tag: 'failed', code: 'http_503', retryAfterSeconds: 30 },
  ],
  [
    'a pause beyond all bounds',
    withStatus(503, { 'retry-after': '999999' }),
    { _tag: 'failed', code: 'http_503', retryAfterSeconds: 3600 },
  ],
  ['410', withStatus(410), { _tag: 'gone', code: 'http_410' }],
] as const satisfies readonly (readonly [string, Answer, WebhookAnswer])[])
  test(`${title} is recognised by its status`, async (t) => {
    const { url } = await receiver(t, answer)
    t.deepEqual(await sent(url), expected)
  })

test('a redirect is not followed', async (t) => {
  const other = await receiver(t)
  const { url } = await receiver(t, withStatus(307, { location: other.url }))
  t.deepEqual(await sent(url), { _tag: 'failed', code: 'http_307' })
  t.deepEqual(other.received, [])
})

test('a slow or huge body is not awaited, and not read', async (t) => {
  const slow = await receiver(t, (response) => void response.writeHead(200).write('x'))
  t.deepEqual(await sent(slow.url), { _tag: 'accepted', code: 'http_200' })
  let written = 0
  const huge = await receiver(t, (response) => {
    response.writeHead(200)
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536
    }
    response.on('drain', write)
    write()
  })
  t.deepEqual(await sent(huge.url), { _tag: 'accepted', code: 'http_200' })
  t.true(written < 16 * 1024 * 1024, `${written} bytes`)
})

test('a receiver that is silent or disconnects costs no more than the time for one message', async (t) => {
  const silent = await receiver(t, () => undefined)
  const began = Date.now()
  t.deepEqual(await hasty.send(message(silent.url), never), { _tag: 'failed', code: 'time' })
  t.true(Date.now() - began < 15_000)
  const cutting = await receiver(t, (response) => void response.socket?.destroy())
  t.deepEqual(await sent(cutting.url), { _tag: 'failed', code: 'connection' })
})

test('a receiver that changes to another protocol is a failed attempt, and not awaited', async (t) => {
  for (const headers of ['upgrade: x\r\nconnection: upgrade\r\n', '']) {
    const answer = `HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`
    const { url } = await receiver(t, (response) => void response.socket?.write(answer))
    t.deepEqual(await sent(url), { _tag: 'failed', code: 'http_101' })
  }
})

test('a message that is cut off is reported as stopped', async (t) => {
  const stopping = new AbortController()
  const { url } = await receiver(t, () => stopping.abort())
  t.deepEqual(await sent(url, {}, stopping.signal), { _tag: 'stopped' })
})

test('an address of the own network is refused unless configured, by its text and by its resolved address', async (t) => {
  const { url, received } = await receiver(t)
  const port = new URL(url).port
  for (const host of ['127.0.0.1', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '10.0.0.1'])
    t.false(guarded.takes(`https://${host}:${port}/`), host)
  for (const text of ['169.254.169.254', '[fd00:ec2::254]']) t.false(own.takes(`http://${text}/`), text)
  t.deepEqual(await guarded.send(message(url), never), { _tag: 'failed', code: 'address' })
  const resolve: Resolve = (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }])
  const byName = httpWebhookSender({ allowPrivateAddress: false, sendSeconds: 1, resolve })
  const named = `https://hooks.example:${port}/`
  t.true(byName.takes(named))
  t.deepEqual(await byName.send(message(named), never), { _tag: 'failed', code: 'address' })
  t.deepEqual(received, [])
})

test('only https addresses without name, password and fragment are accepted, and http when the own network is allowed', (t) => {
  for (const text of ['https://hooks.example', 'https://hooks.example:8443/a?b=c', 'https://8.8.8.8/'])
    t.true(guarded.takes(text), text)
  const refused = [
    'hooks.example',
    'ftp://hooks.example/',
    'https://a:b@hooks.example/',
    'https://hooks.example/#a',
    'https:hooks.example/a',
    'https:\\\\hooks.example\\a',
    '',
  ]
  for (const text of refused) t.deepEqual([guarded.takes(text), own.takes(text)], [false, false], text)
  t.deepEqual([guarded.takes('http://hooks.example/'), own.takes('http://hooks.example/')], [false, true])
})

test.serial('a self-signed certificate is refused, for any environment', async (t) => {
  switchVerificationOff(t)
  const { createServer } = await import('node:https')
  const { selfSigned } = await import('../support/self-signed.js')
  const { listen } = await import('../support/http-server.js')
  const port = await listen(t, createServer(selfSigned, (_request, response) => response.end()) as never)
  t.deepEqual(await sent(`https://localhost:${port}/`), { _tag: 'failed', code: 'certificate' })
})

test('the receiver in the page on webhooks accepts a message, and refuses a forged one', async (t) => {
  const [code = ''] = blocksOf('js', 'receiver', 'docs/how-to/webhooks.md')
  const [secret, port] = [newSecret(), await freePort()]
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    env: { WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill())
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const url = `http://127.0.0.1:${port}/`
  await until(
    async () =>
      (await sent(url, { secrets: [newSecret()] }))._tag === 'failed' &&
      (await sent(url, { secrets: [secret] }))._tag === 'accepted',
    'the receiver answers',
  )
  t.deepEqual(await sent(url), { _tag: 'failed', code: 'http_401' })
  await until(async () => printed.includes('run.finished'), 'the message is printed')
})
