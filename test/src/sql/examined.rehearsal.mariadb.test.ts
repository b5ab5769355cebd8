import { connectSql, createSqlPorts } from '@account-import/adapter-sql'
import {
  type AccountImportList,
  type AccountImportListItem,
  type CustomerEmail,
  instantOf,
  type OpenFailure,
  type RunFailure,
  type SealedEvent,
  type StagedImport,
  type StorePorts,
} from '@account-import/core'
import { openPlaceOf } from '@account-import/core/adapter-kit'
import { createConnection } from 'mysql2/promise'
import { answer } from '../support/answers.js'
import { gasAccount } from '../support/samples.js'
import { testDatabases } from './support/databases.js'
import { creationOf, now, stagingOf } from './support/imports.js'

const { onMysqlServers } = testDatabases()

const organisation = 'ACME'
const importSupplier = 'LEVANTE'
const owner = { organisation, importSupplier }
const run = 'run-1'

const accounts = 20_000
const events = 100_000

/** Numbers from 0 as `n`; MySQL and MariaDB have no series in common. */
const series = (count: number): string => {
  const digits =
    'SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 '.concat(
      'UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9',
    )
  const places = ['a', 'b', 'c', 'd', 'e']
  const number = places.map((place, power) => `${place}.d * ${10 ** power}`).join(' + ')
  const tables = places.map((place) => `(${digits}) AS ${place}`).join(' CROSS JOIN ')
  return `(SELECT ${number} AS n FROM ${tables} HAVING n < ${count}) AS series`
}

const numberOf = (prefix: string): string => `CONCAT('${prefix}-', LPAD(n, 6, '0'))`
const stagedAt = "'2026-11-21 00:00:00.000' + INTERVAL n DIV 100 SECOND"

/** Rows of a journey: created accounts with their e-mails, staged ones, refused lines of a run, and events that are not sealed. */
const fill = async (url: string): Promise<void> => {
  // Without the time limit of our client.
  const connection = await createConnection(url)
  const send = (sql: string, values: readonly string[] = []) => connection.query(sql, [...values])
  const payload = JSON.stringify(gasAccount(importSupplier, 'A-NUMBER'))
  const shared = 'organisation, import_supplier, external_account_number'
  const key = `'${organisation}', '${importSupplier}'`
  const imports = `INSERT INTO account_imports (${shared}, staged_version, first_staged_at, state, skipped, holds_slot, attempts, additions, payload`
  await send(
    `${imports}, platform_account_number, account_created_at, created_version, created_format, created_in_run, operations_team) ` +
      `SELECT ${key}, ${numberOf('C')}, 1, ${stagedAt}, 'created', 0, 0, 0, 0, REPLACE(?, 'A-NUMBER', ${numberOf('C')}), ` +
      `${numberOf('P')}, ${stagedAt}, 1, 1, '${run}', 'Team' FROM ${series(accounts)}`,
    [payload],
  )
  await send(
    `${imports}) SELECT ${key}, ${numberOf('S')}, 1, ${stagedAt}, 'staged', 0, 0, 0, 0, '{}' FROM ${series(accounts)}`,
  )
  await send(
    `INSERT INTO customer_emails (${shared}, id, platform_account_number, language, enqueued_at, state, due_at, attempts, served) ` +
      `SELECT ${key}, ${numberOf('C')}, ${numberOf('E')}, ${numberOf('P')}, 'es', ${stagedAt}, 'waiting', ${stagedAt}, 0, '[]' FROM ${series(accounts)}`,
  )
  await send(
    'INSERT INTO import_run_failures (import_run, step, line, external_account_number, ordinal, refusal, code, field, attr, times, failed_at) ' +
      `SELECT '${run}', IF(n % 2 = 0, 'stage', 'process'), n + 1, ${numberOf('R')}, 0, 'request_failed_validation', IF(n < ${accounts / 2}, 'required', 'blank'), 'customers', 'customers', 1, ${stagedAt} FROM ${series(accounts)}`,
  )
  // Half of them are closed: their numbers were staged since.
  for (const number of [numberOf('R'), numberOf('C')])
    await send(
      'INSERT INTO open_failures (organisation, import_supplier, external_account_number, unread_line, import_run, step, line, code, failed_at, staged_version, is_created) ' +
        `SELECT ${key}, ${number}, '', '${run}', 'stage', n + 1, 'blank', ${stagedAt}, 0, 0 FROM ${series(accounts)}`,
    )
  await send(
    'INSERT INTO audit_unsealed (organisation, import_supplier, id, at, what, who, external_account_number) ' +
      `SELECT ${key}, LPAD(HEX(n), 32, '0'), ${stagedAt}, 'staged', 'key 1', ${numberOf('C')} FROM ${series(events)}`,
  )
  await send(
    'ANALYZE TABLE account_imports, customer_emails, import_run_failures, open_failures, audit_unsealed',
  )
  await connection.end()
}

/** Reads pages until one has no items; returns how many items there were. */
const toTheEnd = async <Item>(
  page: (last: Item | undefined) => Promise<readonly Item[]>,
): Promise<number> => {
  let last: Item | undefined
  for (let count = 0; ;) {
    const items = await page(last)
    if (items.length === 0) return count
    count += items.length
    last = items.at(-1)
  }
}

const limit = 1000

/** Every list of the stores, to its end, and how many items it must have. */
const listsOf = ({
  accountImports,
  accounts: stored,
  documentReferences,
  importRuns,
  outbox,
}: StorePorts): Readonly<Record<string, readonly [number, () => Promise<number>]>> => {
  const imports = (list: AccountImportList) => () =>
    toTheEnd<AccountImportListItem>((last) =>
      answer(accountImports.page({ ...owner, list, after: last?.externalAccountNumber, limit })),
    )
  const failures = (code?: string) => () =>
    toTheEnd<RunFailure>((last) =>
      answer(
        importRuns.failures({
          run,
          error: code === undefined ? undefined : { step: 'process', code, field: 'customers' },
          after: last && {
            step: last.step,
            line: last.line ?? 0,
            externalAccountNumber: last.externalAccountNumber ?? '',
          },
          limit,
        }),
      ),
    )
  const emails = (list?: 'waiting') => () =>
    toTheEnd<CustomerEmail>((last) =>
      answer(outbox.page({ ...owner, list, after: last?.key.externalAccountNumber, limit })),
    )
  return {
    all: [2 * accounts, imports('all')],
    pending: [accounts, imports('pending')],
    imported: [accounts, imports('imported')],
    staged: [
      accounts,
      () =>
        toTheEnd<StagedImport>((after) =>
          answer(accountImports.stagedPage({ ...owner, until: now(), limit, ...(after && { after }) })),
        ),
    ],
    payloads: [
      accounts,
      () =>
        toTheEnd<Readonly<{ externalAccountNumber: string }>>(
          async (last) =>
            (
              await answer(
                accountImports.stagedPayloads({ ...owner, after: last?.externalAccountNumber, limit }),
              )
            ).items,
        ),
    ],
    accounts: [
      accounts,
      () =>
        toTheEnd(
          async (last: { account: { key: { externalAccountNumber: string } } } | undefined) =>
            (await answer(stored.page({ ...owner, after: last?.account.key.externalAccountNumber, limit })))
              .items,
        ),
    ],
    documents: [
      2 * accounts,
      () =>
        toTheEnd<Readonly<{ externalAccountNumber: string }>>((last) =>
          answer(documentReferences.page({ ...owner, after: last?.externalAccountNumber, limit })),
        ),
    ],
    created: [
      accounts,
      () => toTheEnd<string>((after) => answer(importRuns.createdAccounts({ ...owner, run, after, limit }))),
    ],
    failures: [accounts, failures()],
    'failures of a code': [accounts / 4, failures('blank')],
    'open failures': [
      accounts,
      () =>
        toTheEnd<OpenFailure>((last) =>
          answer(importRuns.openFailures({ ...owner, after: last && openPlaceOf(run, last), limit })),
        ),
    ],
    emails: [accounts, emails()],
    'waiting e-mails': [accounts, emails('waiting')],
  }
}

const sealAll = async ({ auditTrail }: StorePorts): Promise<number> => {
  for (let sealed = 0; ;) {
    const sealing = await answer(auditTrail.seal(limit))
    sealed += sealing.events
    if (!sealing.more) return sealed
  }
}

const literal = (value: unknown): string =>
  /^[\d.]+$/.test(String(value)) ? String(value) : `'${String(value)}'`

const settings = ['slow_query_log', 'long_query_time', 'min_examined_row_limit', 'log_output'] as const

onMysqlServers(
  'no statement of a journey, of sealing or of a list to its end examines more than 5,000 rows, but counts',
  async (t, { url, open }) => {
    t.timeout(600_000)
    const { knex } = open()
    await fill(url)
    const [[before]] = (await knex.raw(
      `SELECT ${settings.map((name) => `@@GLOBAL.${name} AS ${name}`).join(', ')}`,
    )) as [[Readonly<Record<string, string | number>>]]
    t.teardown(async () => {
      const administrator = connectSql(url)
      for (const name of settings) await administrator.raw(`SET GLOBAL ${name} = ${literal(before[name])}`)
      await administrator.destroy()
    })
    await knex.raw(
      "SET GLOBAL log_output = 'TABLE', GLOBAL long_query_time = 0, GLOBAL min_examined_row_limit = 5001, GLOBAL slow_query_log = 1",
    )
    // Sessions have these settings from their beginning.
    const watched = connectSql(url)
    t.teardown(() => watched.destroy())
    const ports = createSqlPorts(watched)
    const { accountImports, auditTrail, importRuns } = ports

    const numbers = Array.from({ length: limit }, (_, index) => `J-${index}`)
    await answer(accountImports.stage(numbers.map((number) => stagingOf(number))))
    await answer(accountImports.create(numbers.map((number) => creationOf(number))))
    t.is((await answer(auditTrail.events({ organisation }, undefined, limit))).length, limit)
    t.not(await answer(auditTrail.oldestUnsealed()), undefined)
    t.is(await sealAll(ports), events + 2 * limit)
    t.is(
      await toTheEnd<SealedEvent>(async (last) =>
        (await answer(auditTrail.events({ organisation }, last, limit))).filter(
          (event): event is SealedEvent => event.block !== undefined,
        ),
      ),
      events + 2 * limit,
    )
    t.true(
      (await toTheEnd<Readonly<{ number: number }>>((last) =>
        answer(auditTrail.chain(organisation, last?.number, limit)),
      )) > 100,
    )
    for (const [name, [least, read]] of Object.entries(listsOf(ports))) t.true((await read()) >= least, name)
    t.is((await answer(importRuns.openFailureCounts(owner))).stage, accounts)
    const places = numbers.map((externalAccountNumber) => ({ externalAccountNumber, line: '' }))
    await answer(
      importRuns.dismissFailures({ ...owner, places, reason: 'r', at: instantOf(Date.now()), by: undefined }),
    )
    await answer(importRuns.removeFailures({ ...owner, until: now(), at: instantOf(Date.now()), limit }))

    type Logged = Readonly<{ text: Buffer | string; rows: number }>
    const [logged] = (await knex.raw(
      'SELECT sql_text AS text, rows_examined AS rows_examined FROM mysql.slow_log WHERE db = ?',
      [new URL(url).pathname.slice(1)],
    )) as [readonly Logged[]]
    const large = logged
      .map(({ text, ...row }) => ({ ...row, text: String(text).slice(0, 300) }))
      .filter(({ text }) => !/COUNT\(|information_schema|^SELECT @@/i.test(text))
    t.deepEqual(large, [])
  },
)
