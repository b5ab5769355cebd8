import type { StorePorts } from '@account-import/core'
import type { Either } from '@account-import/core/fp'
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
  pageOf,
  places,
  stagedAfter,
} from './support/filled-tables.js'
import { keyOf } from './support/imports.js'
import { asked, rowsOnPostgresql } from './support/plans.js'

const { onPostgresql } = testDatabases()

/** The most rows that PostgreSQL reads for a statement of a read. With current statistics it may begin to read a table, and stop. */
const mostRows = async (
  opened: Opened,
  read: (ports: StorePorts) => Promise<Either<unknown, unknown>>,
): Promise<number> => {
  let most = 0
  for (const statement of (await asked(opened, read)).sent) {
    most = Math.max(most, await rowsOnPostgresql(opened, statement))
  }
  return most
}

onPostgresql(
  'pages of imports, and an import by its key, read few rows at any place',
  async (t, { open }) => {
    const opened = open()
    await fillImports(opened)
    await opened.knex.raw('ANALYZE account_imports')
    const reads = [
      ...lists.flatMap((list) => [pageOf(list), pageOf(list, 'A-006000')]),
      stagedAfter(),
      stagedAfter(middle),
      stagedAfter(last),
    ]
    for (const read of reads) t.true((await mostRows(opened, read)) <= 700)
    const keys = ['A-000001', 'A-003000', 'A-006499'].map((number) => keyOf(number))
    const found = await Promise.all(
      keys.map((key) => mostRows(opened, ({ accountImports }) => accountImports.find(key))),
    )
    t.true(Math.max(...found) <= 3)
  },
)

onPostgresql('pages of documents and accounts read few rows, at any place', async (t, { open }) => {
  const opened = open()
  await fillDocuments(opened)
  await opened.knex.raw('ANALYZE account_imports, account_items')
  for (const after of places) t.true((await mostRows(opened, documentsAfter(after))) <= 700)
  for (const after of [undefined, 'A-002200']) t.true((await mostRows(opened, accountsAfter(after))) <= 1000)
})

onPostgresql('lists and the backlog of e-mails read few rows, at any place', async (t, { open }) => {
  const opened = open()
  await fillEmails(opened)
  await opened.knex.raw('ANALYZE customer_emails, account_imports')
  for (const list of [undefined, 'parked', 'waiting'] as const)
    for (const after of [undefined, 'A-0003000'])
      t.true((await mostRows(opened, emailPage(list, after))) <= 210)
  t.true((await mostRows(opened, ({ outbox }) => outbox.backlog(50))) <= 450)
})
