import test, { type ExecutionContext } from 'ava'
import { createClient } from '@account-import/client'
import type { CustomerEmail } from '@account-import/core'
import { until } from '../servers/index.js'
import { answer } from '../support/answers.js'
import type { CliEnvironment } from '../support/cli-process.js'
import { availableBackends, type DatabaseBackend, onBackend } from '../support/on-backend.js'
import { serveProcess } from '../support/serve-process.js'
import { type ServerProcess, startServerProcess } from '../support/server-process.js'
import { openSharedDatabase } from '../support/shared-database.js'
import { type Replies, type SmtpTestServer, startSmtpServer } from './support/smtp-server.js'

/** A database for server processes whose supplier writes to customers. */
const openRelaying = async (url: string, settings: CliEnvironment) => {
  const database = await openSharedDatabase(url, { MAIL_FROM: 'Llum <no-reply@example.com>', ...settings })
  const { stores, supplier, organisation, environment } = database
  const saved = await answer(stores.importSuppliers.findByCode(supplier))
  if (saved === undefined) throw new Error('there is no supplier')
  const on = { ...saved.settings, migrationEmails: true }
  await answer(stores.importSuppliers.saveSettings(supplier, saved.settings, on))
  const emails = async (): Promise<readonly CustomerEmail[]> => {
    const found: CustomerEmail[] = []
    for (;;) {
      const after = found.at(-1)?.key.externalAccountNumber
      const request = { organisation, importSupplier: supplier, list: undefined, after, limit: 1000 }
      const page = await answer(stores.outbox.page(request))
      found.push(...page)
      if (page.length < 1000) return found
    }
  }
  return {
    ...database,
    start: (more: CliEnvironment = {}): Promise<ServerProcess> =>
      startServerProcess({ ...environment, ...more }),
    emails,
    /** How many e-mails are in each state. */
    states: async () => {
      const counts: Record<string, number> = {}
      for (const { state } of await emails()) counts[state._tag] = (counts[state._tag] ?? 0) + 1
      return counts
    },
  }
}

type Relaying = Awaited<ReturnType<typeof openRelaying>>

/** Creates the accounts through the server. */
const processAll = async (
  { supplier, team, apiKey, stage }: Relaying,
  { address }: Pick<ServerProcess, 'address'>,
  numbers: readonly string[],
): Promise<void> => {
  await stage(numbers)
  const client = createClient({ baseUrl: address, apiKey })
  for (const number of numbers) {
    const result = await client.processAccount({
      external_account_number: number,
      import_supplier_code: supplier,
      operations_team_name: team,
    })
    if (!result.ok) throw new Error(`${number}: ${result.problem.code}`)
  }
}

const each = availableBackends()

/** Tests of the relay alone, on one database: the contract has its use of the stores. */
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

on(
  each,
  'two servers share the e-mails: every account that was created gets its own, and once',
  async (t, world, smtp) => {
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
    t.deepEqual([...idsOf(smtp)].sort(), (await world.emails()).map(({ id }) => `<${id}@example.com>`).sort())
    t.true(smtp.connections() <= 16, `${smtp.connections()} connections`)
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

test.serial('the log of a relay contains no customer, address or account number', (t) =>
  onBackend.sqlite(async (url) => {
    const smtp = await startSmtpServer({ recipient: () => 550 })
    const world = await openRelaying(url, {})
    try {
      const settings = { ...world.environment, SMTP_URL: smtpUrl(smtp.port), LOG_LEVEL: 'trace' }
      const { child, ended, address } = await serveProcess(t, settings)
      await processAll(world, { address }, ['N-1'])
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
