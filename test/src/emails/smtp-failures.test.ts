import type { Delivery } from '@account-import/core'
import test, { type ExecutionContext } from 'ava'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../servers/index.js'
import { selfSigned } from '../support/self-signed.js'
import { accepted, notifierOf } from './support/notices.js'
import { smtpServerFor as smtp, type Replies } from './support/smtp-server.js'

/** A server that speaks bytes of the test's own. */
const raw = async (t: ExecutionContext, talk: (socket: Socket) => void): Promise<number> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    talk(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const unavailable = (code: string) => ({ _tag: 'unavailable', code }) as Delivery
const deferred = (code: string) => ({ _tag: 'deferred', code }) as Delivery
const refused = (code: string) => ({ _tag: 'refused', code }) as Delivery

/** Silent for longer than any time-out. */
const wordless: Replies = { data: () => setTimeout(15_000, undefined) }

/** Each fault of a conversation, and its outcome; the message after it is sent. */
const conversations: readonly (readonly [string, Replies, Delivery])[] = [
  ['a sender that is refused for good', { mail: () => 550 }, unavailable('sender_refused')],
  ['a sender that is deferred', { mail: () => 451 }, unavailable('server_busy')],
  ['a sender that has to log in', { mail: () => 530 }, unavailable('auth_failed')],
  ['a recipient that does not exist', { recipient: () => 550 }, refused('recipient_refused')],
  ['a recipient whose mailbox is full', { recipient: () => 452 }, deferred('recipient_deferred')],
  ['a message that is refused', { data: () => 554 }, refused('message_refused')],
  ['a message that is deferred', { data: () => 451 }, deferred('message_deferred')],
  ['a connection that ends after the message', { data: () => 'drop' }, deferred('connection_lost')],
]

for (const [title, replies, expected] of conversations)
  test(`${title} is ${expected._tag} (${'code' in expected ? expected.code : ''})`, async (t) => {
    const { port } = await smtp(t, replies)
    t.deepEqual(await notifierOf(t, port).send(), expected)
  })

test('a server that does not listen, or whose name is unknown, is unreachable', async (t) => {
  t.deepEqual(await notifierOf(t, await freePort()).send(), unavailable('unreachable'))
  const unknown = notifierOf(t, 25, { server: { host: 'smtp.invalid' } })
  t.deepEqual(await unknown.send(), unavailable('unreachable'))
})

const hurried = { milliseconds: 3000 }

test('a silent or very slow server is unavailable after the time-out, and one that delays a recipient or message defers the message', async (t) => {
  const silent = await raw(t, () => undefined)
  const slow = await raw(t, (socket) => {
    const timer = setInterval(() => socket.write('2'), 1000)
    socket.on('close', () => clearInterval(timer))
  })
  const atRecipient = await raw(t, (socket) => {
    socket.write('220 here\r\n')
    socket.on('data', (line) => !String(line).startsWith('RCPT') && socket.write('250 yes\r\n'))
  })
  const { port: afterMessage } = await smtp(t, wordless)
  const waiting = [
    [silent, unavailable('timed_out')],
    [slow, unavailable('timed_out')],
    [atRecipient, deferred('timed_out')],
    [afterMessage, deferred('timed_out')],
  ] as const
  const begun = Date.now()
  const outcomes = await Promise.all(waiting.map(([port]) => notifierOf(t, port, hurried).send()))
  t.deepEqual<unknown, unknown>(
    outcomes,
    waiting.map(([, outcome]) => outcome),
  )
  t.true(Date.now() - begun < 10_000)
})

test('a server that refuses every connection, does not speak SMTP, or never ends its line is unavailable', async (t) => {
  const busy = await raw(t, (socket) => socket.end('421 come later\r\n'))
  t.deepEqual(await notifierOf(t, busy).send(), unavailable('server_busy'))
  const gone = await raw(t, (socket) => socket.destroy())
  t.deepEqual(await notifierOf(t, gone).send(), unavailable('unreachable'))
  const web = await raw(t, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  t.is((await notifierOf(t, web).send())._tag, 'unavailable')
  const endless = await raw(t, (socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write('2'.repeat(65_536)));
    }
    socket.on('drain', more)
    more()
  })
  t.is((await notifierOf(t, endless, hurried).send())._tag, 'unavailable')
})

test('a login is used, and a refused login does not count for the message', async (t) => {
  const { port, received } = await smtp(
    t,
    {},
    {
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        done(null, username === 'mailer' && password === 'p@ss' ? { user: username } : {}),
    },
  )
  const as = (password: string) =>
    notifierOf(t, port, { server: { credentials: { user: 'mailer', password } } })
  t.deepEqual(await as('p@ss').send(), accepted)
  t.deepEqual(await as('wrong').send(), unavailable('auth_failed'))
  t.deepEqual(await notifierOf(t, port).send(), unavailable('auth_failed'))
  t.is(received.length, 1)
})

const { key, cert } = selfSigned

test('a message arrives over TLS, from the start or by STARTTLS, when the server is trusted', async (t) => {
  const atOnce = await smtp(t, {}, { secure: true, key, cert })
  const later = await smtp(t, {}, { disabledCommands: ['AUTH'], key, cert })
  const trusting = { host: 'localhost', authorities: cert }
  const implicit = notifierOf(t, atOnce.port, { server: { ...trusting, tls: 'implicit' } })
  t.deepEqual(await implicit.send(), accepted)
  const required = notifierOf(t, later.port, { server: { ...trusting, tls: 'required' } })
  t.deepEqual(await required.send(), accepted)
  t.is(atOnce.received.length + later.received.length, 2)
})

test('nothing is sent when the certificate is not trusted or TLS is required and missing', async (t) => {
  const atOnce = await smtp(t, {}, { secure: true, key, cert })
  const later = await smtp(t, {}, { disabledCommands: ['AUTH'], key, cert })
  const plain = await smtp(t)
  for (const [{ port }, server] of [
    [atOnce, { tls: 'implicit' }],
    [later, { tls: 'required' }],
    [plain, { tls: 'required' }],
    // Another name of this machine, which the certificate does not have.
    [atOnce, { tls: 'implicit', host: '127.1', authorities: cert }],
  ] as const)
    t.deepEqual(await notifierOf(t, port, { server }).send(), unavailable('tls_failed'))
  t.is(atOnce.received.length + later.received.length + plain.received.length, 0)
})

test('stopping the notifier ends the message that is being sent at once', async (t) => {
  const silent = await raw(t, () => undefined)
  const waiting = await smtp(t, wordless)
  for (const port of [silent, waiting.port]) {
    const stop = new AbortController()
    const begun = Date.now()
    const sending = notifierOf(t, port).send({}, stop.signal)
    await setTimeout(200)
    stop.abort()
    t.deepEqual(await sending, unavailable('stopped'))
    t.true(Date.now() - begun < 10_000)
  }
})

test('one connection sends messages one after the other, and a new one follows when the server ends it', async (t) => {
  const server = await smtp(t)
  const notifier = notifierOf(t, server.port)
  for (let count = 0; count < 3; count += 1) t.deepEqual(await notifier.send(), accepted)
  t.is(server.connections(), 1)
  await server.endConnections()
  t.deepEqual(await notifier.send(), accepted)
  t.is(server.connections(), 2)
  t.is(server.received.length, 4)
})

test('a failed message leaves no connection that affects the next message', async (t) => {
  let first = true
  const server = await smtp(t, {
    data: () => {
      if (!first) return undefined
      first = false
      return 'drop'
    },
  })
  const notifier = notifierOf(t, server.port)
  t.deepEqual(await notifier.send(), deferred('connection_lost'))
  t.deepEqual(await notifier.send(), accepted)
  t.deepEqual(
    server.received.map(({ email }) => email.messageId).filter((id, index, all) => all.indexOf(id) !== index)
      .length,
    1,
  )
})

test('a message is not sent twice when its connection ends after it, also on a reused connection', async (t) => {
  let count = 0
  const server = await smtp(t, { data: () => (++count === 2 ? 'drop' : undefined) })
  const notifier = notifierOf(t, server.port)
  t.deepEqual(await notifier.send(), accepted)
  t.deepEqual(await notifier.send(), deferred('connection_lost'))
  await setTimeout(500)
  t.is(server.connections(), 1)
  t.is(server.received.length, 2)
})
