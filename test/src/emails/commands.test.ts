import { connectSql, createSqlPorts } from '@account-import/adapter-sql'
import { readConfig, runCli } from '@account-import/server'
import test, { type ExecutionContext } from 'ava'
import { join } from 'node:path'
import { cliInProcess } from '../support/cli-in-process.js'
import type { CliEnvironment } from '../support/cli-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { answer } from '../support/answers.js'
import { migrating, type Migrating } from './support/migrating.js'

const mail = { SMTP_URL: 'smtp://127.0.0.1:2525?tls=off', MAIL_FROM: 'no-reply@example.com' }

type World = Migrating &
  Readonly<{
    environment: CliEnvironment
    run(line: string, more?: CliEnvironment): ReturnType<typeof cliInProcess>
  }>

/** Command lines on a database that the test looks into. */
const world = async (t: ExecutionContext): Promise<World> => {
  const environment = {
    DATABASE_URL: `sqlite:${join(await tempFolder(t), 'x.db')}`,
    DATA_DIR: await tempFolder(t),
  }
  const run: World['run'] = (line, more = {}) => cliInProcess(line.split(' '), { ...environment, ...more })
  t.is((await run('migrate')).code, 0)
  const knex = connectSql(environment.DATABASE_URL)
  t.teardown(() => knex.destroy())
  return { ...(await migrating(createSqlPorts(knex))), run, environment }
}

test('switching e-mails on prints on stderr that no sender is configured', async (t) => {
  const { run, supplier } = await world(t)
  const on = await run(`supplier configure ${supplier} --migration-emails on --json`)
  t.is(on.code, 0)
  t.like(JSON.parse(on.stdout), { settings: { migration_emails: true } })
  t.regex(on.stderr, /^Note: SMTP_URL is not set here\..*outbox list --state waiting\n$/)
  const configured = await run(`supplier configure ${supplier} --migration-emails on`, mail)
  t.deepEqual([configured.code, configured.stderr], [0, ''])
  t.regex(configured.stdout, /^migration e-mails: +on$/m)
  const off = await run(`supplier configure ${supplier} --migration-emails off`)
  t.deepEqual([off.code, off.stderr], [0, ''])
})

test('configuring a language without a template prints a notice', async (t) => {
  const { run, supplier } = await world(t)
  const french = await run(`supplier configure ${supplier} --migration-emails on --email-language fr`, mail)
  t.is(french.code, 0)
  t.regex(french.stderr, /^Note: there is no template for the language fr here \(there is ca, en, es\)/)
  t.is((await run(`supplier configure ${supplier} --email-language ca`, mail)).stderr, '')
  t.regex((await run(`supplier show ${supplier}`)).stdout, /^e-mail language: +ca$/m)
})

test('outbox list shows e-mails by state and supplier, for people and programs', async (t) => {
  const { run, migrate, supplier, emails, useCases } = await world(t)
  t.regex((await run('outbox list')).stderr, /^There is no e-mail yet\..*--migration-emails on$/m)
  t.is((await run('outbox list --state sent')).stderr, 'There is no such e-mail.\n')
  t.is((await run('outbox list --json')).stdout, '[]\n')
  await answer(migrate('N-1'))
  await answer(migrate('N-2'))
  const [claimed] = await answer(useCases.emails.claimDue(1))
  if (claimed === undefined) return t.fail('nothing was claimed')
  await answer(useCases.emails.deliver({ ...claimed, customers: [] }, new AbortController().signal))
  const parked = JSON.parse((await run(`outbox list --supplier ${supplier} --state parked --json`)).stdout)
  t.deepEqual(parked, [
    {
      id: claimed.email.id,
      state: 'parked',
      import_supplier: supplier,
      external_account_number: claimed.email.key.externalAccountNumber,
      platform_account_number: claimed.email.platformAccountNumber,
      language: 'es',
      attempts: 1,
      enqueued_at: '2025-09-01T10:00:00Z',
      due_at: null,
      ended_at: '2025-09-01T10:00:00Z',
      latest_error: { code: 'no_recipient', occurred_at: '2025-09-01T10:00:00Z' },
    },
  ])
  const waiting = JSON.parse((await run('outbox list --state waiting --json')).stdout) as readonly object[]
  t.is(waiting.length, 1)
  t.like(waiting[0], { state: 'waiting', due_at: '2025-09-01T10:00:00Z', latest_error: null })
  const text = (await run('outbox list')).stdout.split('\n')
  t.regex(text[0] ?? '', /^ID +STATE +ATTEMPTS +DUE OR ENDED +LATEST ERROR +SUPPLIER +ACCOUNT$/)
  t.is(text.length, 4)
  t.true(
    text.some((line) => /^\S+ +parked +1 +2025-09-01T10:00:00Z +no_recipient +SUP-\S+ +N-\d$/.test(line)),
  )
  const retried = await run(`outbox retry --parked --supplier ${supplier}`)
  t.deepEqual([retried.code, retried.stderr], [0, 'One e-mail is due now.\n'])
  const states = (await emails()).map(({ state }) => state._tag)
  t.deepEqual(states, ['waiting', 'waiting'])
})

const longList = 1203

/** An outbox of more than two pages; gives the account numbers. */
const withLongList = async ({ ports, key }: World): Promise<readonly string[]> => {
  const numbers = Array.from({ length: longList }, (_, index) => `N-${String(index).padStart(5, '0')}`)
  await answer(
    ports.outbox.enqueue(
      numbers.map((number) => ({
        id: `id${number}`,
        key: key(number),
        platformAccountNumber: `P-${number}`,
        language: 'es',
        enqueuedAt: ports.clock.now(),
      })),
    ),
  )
  return numbers
}

test('outbox list prints a list longer than a page whole, in order, as one document', async (t) => {
  const filled = await world(t)
  const numbers = await withLongList(filled)
  const { stdout } = await filled.run('outbox list --json')
  const entries = JSON.parse(stdout) as readonly { external_account_number: string }[]
  const listed = entries.map(({ external_account_number }) => external_account_number)
  t.deepEqual(listed, numbers)
})

test('outbox list waits for its reader, and ends when the reader closes the stream', async (t) => {
  const filled = await world(t)
  await withLongList(filled)
  const lines: number[] = []
  let printed = ''
  const io = {
    environment: filled.environment,
    out: (text: string) => (printed += text),
    err: (text: string) => t.fail(text),
    drained: async () => {
      lines.push(printed.split('\n').length - 2)
      return lines.length < 2
    },
  }
  t.is(await runCli(['outbox', 'list'], io), 0)
  t.deepEqual(lines, [500, 1000])
  t.is(printed.split('\n').length - 2, 1000)
})

/** The problem of SMTP_URL, or its server. */
const smtp = (url: string) => {
  const read = readConfig({ SMTP_URL: url, MAIL_FROM: mail.MAIL_FROM }, 'serve')
  return read._tag === 'Right' ? read.right.mail?.server : read.left.map(({ detail }) => detail).join()
}

test('a URL names an SMTP server, with TLS unless the URL switches it off', (t) => {
  const server = { host: 'h.example', credentials: undefined }
  t.deepEqual(smtp('smtp://h.example'), { ...server, port: 587, tls: 'required' })
  t.deepEqual(smtp('smtps://h.example/'), { ...server, port: 465, tls: 'implicit' })
  t.deepEqual(smtp('smtp://h.example?tls=off'), { ...server, port: 25, tls: 'off' })
  t.deepEqual(smtp('smtp://[::1]:2525'), { ...server, host: '::1', port: 2525, tls: 'required' })
  for (const wrong of [
    'h.example',
    'http://h.example',
    'smtp://',
    'smtps://h.example?tls=off',
    'smtp://h.example?tls=no',
    'smtp://h.example?tls=OFF',
    'smtp://h.example?secure=false',
    'smtp://h.example?ignoreTLS=true',
    'smtp://h.example/path',
    'smtp://u:s%ZZcanary@h.example',
    'smtp://user@h.example',
  ]) {
    const problem = String(smtp(wrong))
    t.regex(problem, /^must be smtp:\/\//, wrong)
    t.notRegex(problem, /canary|h\.example/)
  }
})

test('an SMTP server without a sender is not a valid configuration', (t) => {
  const read = readConfig({ SMTP_URL: mail.SMTP_URL }, 'operate')
  t.deepEqual(read._tag === 'Left' && read.left.map(({ variable }) => variable), ['MAIL_FROM'])
})
