import { answer } from '../support/answers.js'
import { busyOnce } from './support/busy-once.js'
import { withAccount, type Service } from './support/created-account.js'
import { testDatabases, type Opened } from './support/databases.js'
import { rowsRead } from './support/rows-read.js'

const { onEach, onSqlite, onServers } = testDatabases()

const transactions = (count: number, prefix: string, date = '2025-06-01') =>
  Array.from({ length: count }, (_, index) => ({
    transaction_id: `${prefix}-${index}`,
    transaction_date: date,
    amount: '1.10',
    type: 'SUPPLY_CHARGE',
    product_code: 'P',
    line_items: [
      { start_date: '2025-04-01', end_date: '2025-04-30', number_of_units: 1, net_amount: '1.10' },
    ],
  }))

const add = async ({ useCases, organisation, supplier }: Service, sent: readonly object[]) => {
  const payload = { import_supplier: supplier, external_account_number: 'A-1', transactions: sent }
  const { results } = await answer(useCases.addTransactions({ organisation, payload }))
  return results.map(({ status }) => status)
}

type Sent = Readonly<{ sql: string; bindings?: readonly string[] }>

/** The statements that a piece of work sends, BEGIN and COMMIT among them. */
const statementsOf = async ({ knex }: Opened, work: () => Promise<unknown>): Promise<readonly Sent[]> => {
  const sent: Sent[] = []
  const listen = (query: Sent): void => void sent.push(query)
  knex.on('query', listen)
  await work()
  knex.removeListener('query', listen)
  return sent
}

onEach(
  'a request takes as many statements for 1,000 transactions as for one: 10, and 4 more where it moves some',
  async (t, { open }) => {
    const opened = open()
    const service = await withAccount(opened.ports)
    const count = async (items: number, prefix: string, date?: string): Promise<number> => {
      const sent = await statementsOf(opened, () => add(service, transactions(items, prefix, date)))
      return sent.length
    }
    // The supplier, BEGIN, the account's lock, what is known of it, its ids, the ends of its lists, the account's
    // count, the insert, the record, COMMIT.
    t.deepEqual([await count(1, 'A'), await count(10, 'B'), await count(1000, 'C')], [10, 10, 10])
    t.is(await count(10_000, 'D'), 10 + 1, 'the rows go in pieces of 4 MiB')
    t.is(await count(1000, 'C'), 6, 'all of them exist: nothing is inserted')
    // The note takes four more: is it there, the end of the notes, the account's count, the insert.
    t.deepEqual([await count(10, 'E', '2020-01-01'), await count(1000, 'F', '2020-01-01')], [14, 14])
  },
)

onServers(
  'an account of many transactions is found by its keys: no statement reads more of it than is asked for',
  async (t, { open }) => {
    const opened = open({ maxConnections: 1 })
    const service = await withAccount(opened.ports)
    for (const prefix of ['A', 'B', 'C']) await add(service, transactions(10_000, prefix))
    await opened.knex.raw('ANALYZE TABLE transactions')
    const { rows } = await rowsRead(opened.knex, () => add(service, transactions(10, 'D')))
    t.log(`${rows} rows`)
    t.true(rows < 200, `${rows} rows were read`)
  },
)

onSqlite(
  'an account of many transactions is found by its keys: every statement searches, none scans',
  async (t, { open }) => {
    const opened = open()
    const service = await withAccount(opened.ports)
    const sent = await statementsOf(opened, () => add(service, transactions(10, 'A')))
    const reads = sent.filter(({ sql }) => /^select/i.test(sql))
    t.is(reads.length, 5)
    for (const { sql, bindings = [] } of reads) {
      const plan = (await opened.knex.raw(`EXPLAIN QUERY PLAN ${sql}`, [...bindings])) as {
        detail: string
      }[]
      const scans = plan
        .map(({ detail }) => detail)
        .filter((detail) => /^SCAN (?!sent|CONSTANT)/.test(detail))
      t.deepEqual(scans, [], sql)
    }
  },
)

onSqlite('a request adds the same whichever of its statements has to be run again', async (t, { open }) => {
  const opened = open()
  const service = await withAccount(opened.ports)
  const [inside, outside] = [transactions(2, 'in'), transactions(2, 'out', '2020-01-01')]
  let nth = 1
  for (let reached = true; reached; nth += 1) {
    const sent = [...inside, ...outside].map((each) => ({
      ...each,
      transaction_id: `${each.transaction_id} ${nth}`,
    }))
    const busy = await busyOnce(opened, nth)
    const statuses = await add(service, sent)
    busy.end()
    reached = busy.reached()
    t.deepEqual([...new Set(statuses)], ['TRANSACTION_ADDED_TO_ACCOUNT'], `statement ${nth}`)
  }
  t.true(nth > 8, `${nth} statements`)
  const key = {
    organisation: service.organisation,
    importSupplier: service.supplier,
    externalAccountNumber: 'A-1',
  }
  const account = await answer(service.stores.accounts.find(key))
  const ids =
    account?.details.ledgers[0]?.current_statement_transactions.map((each) => each.transaction_id) ?? []
  t.is(new Set(ids).size, ids.length, 'nothing twice')
  const added = ids.filter((id) => /^(in|out)-\d \d+$/.test(id))
  t.is(added.length, (nth - 1) * 4, 'nothing lost')
  const pinned = account?.details.notes.filter(({ body }) => body?.startsWith('2 imported transactions'))
  t.is(pinned?.length, nth - 1)
})

onEach(
  'transactions that were there before copies were counted are each the first of its id',
  async (t, { open }) => {
    const opened = open()
    const service = await withAccount(opened.ports)
    const rows = (await opened.knex('transactions').select('copy')) as readonly { copy: number }[]
    t.true(rows.length > 2)
    t.deepEqual([...new Set(rows.map(({ copy }) => copy))], [0])
    // As a server of the version before would insert it.
    const [row] = (await opened.knex('transactions').limit(1)) as readonly Record<string, unknown>[]
    const { copy: _copy, ...before } = row ?? {}
    await opened.knex('transactions').insert({ ...before, transaction_id: 'old', ordinal: 999 })
    t.deepEqual(
      await add(
        service,
        transactions(1, 'x').map((each) => ({ ...each, transaction_id: 'old' })),
      ),
      ['TRANSACTION_ALREADY_EXISTS'],
    )
  },
)
