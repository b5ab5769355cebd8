import { withAccount, type Service } from './support/created-account.js'
import { testDatabases } from './support/databases.js'
import { rowsRead } from './support/rows-read.js'

const { onServers } = testDatabases()

const count = 1000
const numbers = Array.from({ length: count }, (_, index) => index)

const sent = ({ organisation, supplier }: Service, lists: object) => ({
  organisation,
  payload: { import_supplier: supplier, external_account_number: 'A-1', ...lists },
})

/** For each table with rows that are asked for by their ids: a request that adds a thousand, or finds them there. */
const requests: Readonly<Record<string, (service: Service) => Promise<unknown>>> = {
  notes: (service) => {
    const notes = numbers.map((number) => ({ body: `note ${number}` }))
    return service.useCases.addNotes(sent(service, { notes }))()
  },
  statements: (service) => {
    const statements = numbers.map((number) => ({
      bill_period_from_date: '2024-01-01',
      bill_period_to_date: '2024-01-31',
      statement_id: `S-${number}`,
    }))
    return service.useCases.addHistoricalStatements(sent(service, { statements }))()
  },
  transactions: (service) => {
    const transactions = numbers.map((number) => ({
      transaction_id: `T-${number}`,
      transaction_date: '2025-06-01',
      amount: '1.10',
      type: 'SUPPLY_CHARGE',
      product_code: 'P',
      line_items: [
        { start_date: '2025-04-01', end_date: '2025-04-30', number_of_units: 1, net_amount: '1.10' },
      ],
    }))
    return service.useCases.addTransactions(sent(service, { transactions }))()
  },
}

for (const [table, request] of Object.entries(requests))
  onServers(
    `a thousand ${table} are found by their ids although the database last counted when there were none`,
    async (t, { open }) => {
      const { knex, ports } = open({ maxConnections: 1 })
      const service = await withAccount(ports)
      await knex(table).delete()
      await knex.raw(`ALTER TABLE ${table} STATS_PERSISTENT = 1, STATS_AUTO_RECALC = 0`)
      await knex.raw(`ANALYZE TABLE ${table}`)
      await request(service)
      t.is((await knex(table).pluck('ordinal')).length, count)
      await knex.raw(`FLUSH TABLES ${table}`)
      const { rows } = await rowsRead(knex, () => request(service))
      t.true(rows >= count && rows < count * 6, `${rows} rows were read`)
    },
  )
