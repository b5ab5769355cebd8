import test, { type ExecutionContext } from 'ava'
import { onBackend, type DatabaseBackend } from '../support/on-backend.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { serveProcess } from '../support/serve-process.js'
import { freePort, mariaDbAvailable, until } from '../servers/index.js'
import { openRelaying, processAll, type Relaying } from './support/relaying.js'
import { startSmtpServer, type Replies, type SmtpTestServer } from './support/smtp-server.js'

const each: readonly DatabaseBackend[] = mariaDbAvailable() ? ['sqlite', 'mariadb'] : ['sqlite']

/** Where what is proved is the relay's alone, whichever the database: what it asks of one is in the contract. */
const one: readonly DatabaseBackend[] = ['sqlite']

const smtpUrl = (port: number): string => `smtp://127.0.0.1:${port}?tls=off`

type Body = (
  t: ExecutionContext,
  world: Relaying,
  smtp: SmtpTestServer,
  replies: { -readonly [K in keyof Replies]: Replies[K] },
) => Promise<void>

/** A test with a real SMTP server, whose replies may change, on these databases. */
const on = (backends: readonly DatabaseBackend[], title: string, body: Body): void => {
  for (const backend of backends)
    test.serial(`${title} (${backend})`, (t) =>
      onBackend[backend](async (url) => {
        const replies: { -readonly [K in keyof Replies]: Replies[K] } = {}
        const smtp = await startSmtpServer({
          mail: (address) => replies.mail?.(address),
          recipient: (address) => replies.recipient?.(address),
          data: (received) => replies.data?.(received),
        })
        const world = await openRelaying(url, { SMTP_URL: smtpUrl(smtp.port), MAIL_RETRY_SECONDS: '1' })
        try {
          await body(t, world, smtp, replies)
        } finally {
          await world.close()
          await smtp.close()
        }
      }),
    )
}

const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `N-${index}`)

const idsOf = ({ received }: SmtpTestServer): readonly string[] =>
  received.map(({ email }) => email.messageId ?? '')

const allSent = (world: Relaying, count: number) => async () => (await world.states())['sent'] === count

on(each, 'every account that is created gets its e-mail once', async (t, world, smtp) => {
  const server = await world.start()
  try {
    await processAll(world, server, numbers(25))
    await until(allSent(world, 25), 'all are sent')
  } finally {
    t.is(await server.stop(), 0)
  }
  t.is(smtp.received.length, 25)
  t.deepEqual([...idsOf(smtp)].sort(), (await world.emails()).map(({ id }) => `<${id}@example.com>`).sort())
  t.true(smtp.connections() <= 8, `${smtp.connections()} connections`)
})

on(each, 'two servers share the e-mails, and none is sent twice', async (t, world, smtp) => {
  const quiet = await world.start({ SMTP_URL: '' })
  await processAll(world, quiet, numbers(60))
  await quiet.stop()
  t.deepEqual(await world.states(), { waiting: 60 })
  const servers = await Promise.all([world.start(), world.start()])
  try {
    await until(allSent(world, 60), 'all are sent')
  } finally {
    for (const server of servers) t.is(await server.stop(), 0)
  }
  t.is(new Set(idsOf(smtp)).size, 60)
  t.is(smtp.received.length, 60)
})

on(one, 'e-mails wait while the server for them is down, and no attempt is lost', async (t, world) => {
  const port = await freePort()
  const server = await world.start({ SMTP_URL: smtpUrl(port) })
  try {
    await processAll(world, server, numbers(10))
    await until(
      async () => (await world.emails()).some(({ latestFailure }) => latestFailure?.code === 'unreachable'),
      'its absence is noticed',
    )
    t.true((await world.emails()).every(({ attempts }) => attempts === 0))
    const late = await startSmtpServer({}, {}, port)
    try {
      await until(allSent(world, 10), 'all are sent')
      t.is(late.received.length, 10)
    } finally {
      await late.close()
    }
  } finally {
    t.is(await server.stop(), 0)
  }
})

on(
  one,
  'what is put off is sent later; what is refused is parked, shown and retried',
  async (t, world, smtp, replies) => {
    let putOff = 0
    replies.data = () => {
      putOff += 1
      return putOff <= 3 ? 451 : undefined
    }
    const server = await world.start()
    try {
      await processAll(world, server, numbers(3))
      await until(allSent(world, 3), 'all are sent')
      t.deepEqual(
        (await world.emails()).map(({ attempts }) => attempts > 0),
        [true, true, true],
      )
      replies.recipient = () => 550
      await processAll(world, server, ['P-1', 'P-2'])
      await until(async () => (await world.states())['parked'] === 2, 'two are parked')
      const command = (...args: readonly string[]) => cliInProcess(['outbox', ...args], world.environment)
      const listed = await command('list', '--state', 'parked', '--supplier', world.supplier, '--json')
      const entries = JSON.parse(listed.stdout) as readonly Record<string, unknown>[]
      t.deepEqual(
        entries.map(({ state, external_account_number, attempts, latest_error }) => [
          state,
          external_account_number,
          attempts,
          (latest_error as { code: string }).code,
        ]),
        [
          ['parked', 'P-1', 1, 'recipient_refused'],
          ['parked', 'P-2', 1, 'recipient_refused'],
        ],
      )
      delete replies.recipient
      const one = await command('retry', String(entries[0]?.['id']))
      t.deepEqual([one.code, one.stderr], [0, 'One e-mail is due now.\n'])
      await until(allSent(world, 4), 'it is sent')
      t.deepEqual(JSON.parse((await command('retry', '--parked', '--json')).stdout), { retried: 1 })
      await until(allSent(world, 5), 'the other is sent')
      t.is((await command('retry', String(entries[0]?.['id']))).code, 2)
      t.is(smtp.received.length, 5)
    } finally {
      t.is(await server.stop(), 0)
    }
  },
)

on(
  one,
  'a server that stops finishes what it sends, and leaves the rest to the next',
  async (t, world, smtp, replies) => {
    const quiet = await world.start({ SMTP_URL: '' })
    await processAll(world, quiet, numbers(12))
    await quiet.stop()
    replies.data = () => new Promise((resolve) => setTimeout(resolve, 400, undefined))
    const server = await world.start({ MAIL_CONCURRENCY: '2' })
    await until(async () => smtp.received.length >= 2, 'the first arrive')
    t.is(await server.stop(), 0)
    const { sent = 0, waiting = 0, sending = 0 } = await world.states()
    t.deepEqual([sent, sending], [smtp.received.length, 0])
    t.true(waiting > 0, 'some are left')
    delete replies.data
    const next = await world.start()
    await until(allSent(world, 12), 'all are sent')
    t.is(await next.stop(), 0)
    t.is(smtp.received.length, 12)
    t.is(new Set(idsOf(smtp)).size, 12)
  },
)

test.serial('the log of a relay names no customer, address or number of an account', (t) =>
  onBackend.sqlite(async (url) => {
    const smtp = await startSmtpServer({ recipient: () => 550 })
    const world = await openRelaying(url, {})
    try {
      const settings = { ...world.environment, SMTP_URL: smtpUrl(smtp.port), LOG_LEVEL: 'trace' }
      const { child, ended, address } = await serveProcess(t, settings)
      await processAll(world, { address, pid: 0, kill: async () => undefined, stop: async () => 0 }, ['N-1'])
      await until(async () => (await world.states())['parked'] === 1, 'it is parked')
      child.kill('SIGTERM')
      const { code, stderr } = await ended
      t.is(code, 0)
      const [email] = await world.emails()
      const entry = stderr.split('\n').find((line) => line.includes('"event":"email"')) ?? '{}'
      t.like(JSON.parse(entry), {
        event: 'email',
        id: email?.id,
        outcome: 'parked',
        code: 'recipient_refused',
      })
      for (const secret of [
        'lucia',
        'Lucía',
        '@example',
        email?.platformAccountNumber ?? '',
        'as the test says',
      ])
        t.false(stderr.includes(secret), secret)
    } finally {
      await world.close()
      await smtp.close()
    }
  }),
)
