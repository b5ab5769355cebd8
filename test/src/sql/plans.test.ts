import { type EmailClaimRequest, instantOf, type StorePorts } from '@account-import/core'
import type { Either } from '@account-import/core/fp'
import { plusSeconds } from '@account-import/core/testing'
import type { ExecutionContext } from 'ava'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import {
  accountsAfter,
  documentsAfter,
  emailPage,
  fillDocuments,
  fillEmails,
  fillImports,
  last,
  lists,
  middle,
  now,
  pageOf,
  places,
  stagedAfter,
  summary,
} from './support/filled-tables.js'
import { asked, planOnSqlite, plansOf, rowsOfPage } from './support/plans.js'
import { rowsRead } from './support/rows-read.js'
import type { Sent } from './support/statements-of.js'

const { onSqlite, onMariaDb, onMysqlServers } = testDatabases()

const where = "organisation = 'ACME' AND import_supplier = 'LEVANTE' AND external_account_number"
const byKey = [
  `SELECT * FROM account_imports WHERE (${where} IN ('A-000001', 'A-000002', 'A-000003'))`,
  `SELECT * FROM account_imports WHERE (${where} IN ('A-000001')) OR (organisation = 'ACME' AND import_supplier = 'PONIENTE' AND external_account_number IN ('A-000001'))`,
  `UPDATE account_imports SET attempts = 1 WHERE ${where} = 'A-000001' AND claim_token IS NULL`,
]

onMariaDb(
  'lists and the summary of imports are read from their indexes in order at any page, and staging, claiming and processing find rows by key',
  async (t, { open }) => {
    const opened = open()
    await fillImports(opened)
    for (const list of lists)
      for (const after of [undefined, 'A-000100', 'A-005500']) {
        const { sent } = await asked(opened, pageOf(list, after))
        const [statement] = sent as [Sent]
        const ranges = (await plansOf(opened, statement)).filter(({ table }) => table === 'account_imports')
        t.is(ranges.length, list === 'all' ? 3 : 1)
        for (const { key, Extra } of ranges) {
          t.is(key, 'account_imports_pages', `${list} after ${after}`)
          t.regex(String(Extra), /Using index/, `${list} after ${after}`)
          t.notRegex(String(Extra), /filesort|temporary|Using index condition/, `${list} after ${after}`)
        }
        t.notRegex(statement.sql, /offset/i)
      }
    const [counting] = (await asked(opened, summary)).sent as [Sent]
    const [plan] = await plansOf(opened, counting)
    t.is(plan?.key, 'account_imports_summary')
    t.regex(String(plan?.Extra), /Using index/)
    t.notRegex(String(plan?.Extra), /filesort|temporary/)
    for (const sql of byKey) {
      const [found] = await plansOf(opened, { sql })
      t.is(found?.key, 'PRIMARY', sql)
      t.true(Number(found?.rows) <= 3, sql)
    }
  },
)

onMysqlServers(
  'the last page of imports reads no more rows than the first, and a page of staged ones few at any position',
  async (t, { open }) => {
    const opened = open({ maxConnections: 1 })
    await fillImports(opened)
    for (const list of lists) {
      const [first, end] = [
        await rowsOfPage(opened, pageOf(list)),
        await rowsOfPage(opened, pageOf(list, 'A-006000')),
      ]
      t.true(end <= first + 5 && first <= 1005, `${list}: ${first} and ${end} rows`)
    }
    const first = await rowsOfPage(opened, stagedAfter())
    t.true(first <= 105, `${first} rows`)
    for (const after of [middle, last]) {
      const read = await rowsOfPage(opened, stagedAfter(after))
      t.true(read <= 700, `${read} rows after ${after.externalAccountNumber}`)
    }
  },
)

onSqlite(
  'lists, staged imports and the summary are read from their indexes in order',
  async (t, { open }) => {
    const opened = open()
    await fillImports(opened)
    const planOf = async (read: (ports: StorePorts) => Promise<Either<unknown, unknown>>): Promise<string> =>
      planOnSqlite(opened, (await asked(opened, read)).sent[0] as Sent)
    for (const list of lists)
      for (const after of [undefined, 'A-005500']) {
        const text = await planOf(pageOf(list, after))
        const ranges = list === 'all' ? 3 : 1
        t.is(text.match(/SEARCH account_imports USING COVERING INDEX account_imports_pages/g)?.length, ranges)
        // The pages of the ranges are sorted before they are merged.
        t.notRegex(text.replaceAll('SCAN part; USE TEMP B-TREE FOR ORDER BY', ''), /TEMP B-TREE|SCAN/)
      }
    const first = await planOf(stagedAfter())
    t.regex(first, /COVERING INDEX account_imports_staged/)
    t.notRegex(first, /TEMP B-TREE|SCAN/)
    const next = await planOf(stagedAfter(middle))
    t.is(next.match(/COVERING INDEX account_imports_staged/g)?.length, 2)
    const counting = await planOf(summary)
    t.regex(counting, /COVERING INDEX account_imports_summary/)
    t.notRegex(counting, /TEMP B-TREE|SCAN/)
  },
)

/** The statements of a page of 100 accounts, at the beginning and at the end. */
const documentStatements = async (t: ExecutionContext, opened: Opened): Promise<readonly Sent[]> => {
  const all: Sent[] = []
  for (const after of places) {
    const { sent, answered } = await asked(opened, documentsAfter(after))
    t.deepEqual([answered.length, answered.flatMap(({ paths }) => paths).length, sent.length], [100, 200, 3])
    all.push(...sent)
  }
  return all
}

onMariaDb('a page of documents takes three statements by key, at any position', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fillDocuments(opened)
  for (const statement of await documentStatements(t, opened)) {
    const { sql } = statement
    for (const { key, Extra } of await plansOf(opened, statement)) {
      t.regex(String(key), /^PRIMARY$/, sql)
      t.notRegex(String(Extra), /filesort|temporary/, sql)
    }
    t.notRegex(sql, /offset/i)
  }
})

onMysqlServers('the last page of documents reads no more rows than the first', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fillDocuments(opened)
  const [first, end] = [
    await rowsOfPage(opened, documentsAfter(places[0])),
    await rowsOfPage(opened, documentsAfter(places[1])),
  ]
  t.true(end <= first + 5 && first <= 700, `${first} rows for the first page, ${end} for the last`)
})

onSqlite('a page of documents takes three statements by key, at any position', async (t, { open }) => {
  const opened = open()
  await fillDocuments(opened)
  for (const statement of await documentStatements(t, opened)) {
    const text = await planOnSqlite(opened, statement)
    t.regex(text, /SEARCH/, statement.sql)
    t.notRegex(text, /TEMP B-TREE|SCAN/, statement.sql)
  }
})

onMysqlServers(
  'a page of accounts is read from its index at any position, and staged imports between them cost nothing',
  async (t, { open }) => {
    const opened = open({ maxConnections: 1 })
    await fillDocuments(opened)
    const [first, end] = [
      await rowsOfPage(opened, accountsAfter()),
      await rowsOfPage(opened, accountsAfter('A-002200')),
    ]
    t.true(end <= first + 5 && first <= 1000, `${first} rows for the first page, ${end} for the last`)
  },
)

onSqlite('a page of accounts is read from its index, without sorting', async (t, { open }) => {
  const opened = open()
  await fillDocuments(opened)
  const { sent } = await asked(opened, accountsAfter('A-000100'))
  const plans = await Promise.all(sent.map((statement) => planOnSqlite(opened, statement)))
  t.is(plans.filter((plan) => plan.includes('INDEX account_imports_pages')).length, 2)
  for (const plan of plans) t.notRegex(plan, /TEMP B-TREE|SCAN/)
})

const claimTen: EmailClaimRequest = { token: 'first', at: now, leaseEndsAt: plusSeconds(now, 60), limit: 10 }

/** The statements of one claim, which takes ten e-mails. */
const claimStatements = async (t: ExecutionContext, opened: Opened): Promise<readonly Sent[]> => {
  const { sent, answered: claimed } = await asked(opened, ({ outbox }) => outbox.claimDue(claimTen))
  t.is(claimed.length, 10)
  t.true(claimed.every(({ customers }) => customers.length === 1))
  return sent.filter(({ sql }) => /^(?:select|update)/i.test(sql))
}

onMysqlServers(
  'claims, lists and the backlog of e-mails are read from their indexes, at any page and for any number',
  async (t, { open }) => {
    const opened = open({ maxConnections: 1 })
    await fillEmails(opened)
    for (const list of [undefined, 'parked', 'waiting'] as const)
      for (const after of [undefined, 'A-0003000']) {
        const rows = await rowsOfPage(opened, emailPage(list, after))
        t.true(rows <= 210, `${list} after ${after}: ${rows} rows`)
      }
    const { knex, ports } = opened
    const { result: backlog, rows } = await rowsRead(knex, () => answer(ports.outbox.backlog(50)))
    t.deepEqual(backlog, { waiting: 50, parked: 50, firstDueAt: instantOf(Date.parse('2026-11-20')) })
    t.true(rows <= 220, `${rows} rows were read`)
    // The plans of other servers have other forms.
    if (!t.title.endsWith('(MariaDB)')) return
    const claim = await rowsRead(knex, () => claimStatements(t, opened))
    t.true(claim.rows <= 200, `${claim.rows} rows were read`)
    t.is(claim.result.length, 3)
    const [due] = await plansOf(opened, claim.result[0] as Sent)
    t.is(due?.key, 'customer_emails_due')
    t.notRegex(String(due?.Extra), /filesort|temporary/)
  },
)

onSqlite('claims and lists of e-mails find their rows by index', async (t, { open }) => {
  const opened = open()
  await fillEmails(opened)
  const sent = [...(await claimStatements(t, opened))]
  for (const list of [undefined, 'parked'] as const)
    sent.push(...(await asked(opened, emailPage(list, 'A-0003000'))).sent)
  const backlog = await asked(opened, ({ outbox }) => outbox.backlog(50))
  t.is(backlog.answered.parked, 50)
  sent.push(...backlog.sent)
  t.is(sent.length, 6)
  for (const statement of sent) {
    const text = await planOnSqlite(opened, statement)
    t.notRegex(text, /SCAN (?!some_|CONSTANT)/, statement.sql)
    if (!statement.sql.includes('join')) t.notRegex(text, /TEMP B-TREE/, statement.sql)
  }
})
