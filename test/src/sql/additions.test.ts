import { createHash } from 'node:crypto'
import { migrate } from '@account-import/adapter-sql'
import { answer } from '../support/answers.js'
import { busyOnce } from './support/busy-once.js'
import { withAccount, type Service } from './support/created-account.js'
import { testDatabases, type Opened } from './support/databases.js'
import { rowsRead } from './support/rows-read.js'

const { onEach, onSqlite, onServers } = testDatabases()

const submission = ({ organisation, supplier }: Service, lists: object) => ({
  organisation,
  payload: { import_supplier: supplier, external_account_number: 'A-1', ...lists },
})

const addNotes = async (service: Service, notes: readonly object[]): Promise<readonly string[]> => {
  const { notes: outcomes } = await answer(service.useCases.addNotes(submission(service, { notes })))
  return outcomes.map(({ status }) => status)
}

const some = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => ({ body: `${prefix} ${index}` }))

const statements = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => ({
    bill_period_from_date: '2024-01-01',
    bill_period_to_date: '2024-01-31',
    statement_id: `${prefix}-${index}`,
  }))

const countStatements = async ({ knex }: Opened, work: () => Promise<unknown>): Promise<number> => {
  let count = 0
  const listen = (): void => void (count += 1)
  knex.on('query', listen)
  await work()
  knex.removeListener('query', listen)
  return count
}

onEach(
  'notes and historical statements take 9 statements a request, for 1,000 as for one',
  async (t, { open }) => {
    const opened = open()
    const service = await withAccount(opened.ports, { notes: [] })
    const ofNotes = (count: number, prefix: string) =>
      countStatements(opened, () => addNotes(service, some(count, prefix)))
    // The supplier, BEGIN, the account's lock, what is known, where the list ends, the account's count, the insert, the record,
    // COMMIT.
    t.deepEqual([await ofNotes(1, 'a'), await ofNotes(10, 'b'), await ofNotes(1000, 'c')], [9, 9, 9])
    t.is(await ofNotes(1000, 'c'), 5, 'all of them exist: nothing is inserted')
    const ofStatements = (count: number, prefix: string) =>
      countStatements(opened, () =>
        answer(
          service.useCases.addHistoricalStatements(
            submission(service, { statements: statements(count, prefix) }),
          ),
        ),
      )
    t.deepEqual([await ofStatements(1, 'a'), await ofStatements(1000, 'b')], [9, 9])
  },
)

onServers(
  'an account of many notes and statements is found by its keys: what is read does not grow with it',
  async (t, { open }) => {
    const opened = open({ maxConnections: 1 })
    const service = await withAccount(opened.ports, { notes: [] })
    await addNotes(service, some(10_000, 'a'))
    const many = submission(service, { statements: statements(10_000, 'a') })
    await answer(service.useCases.addHistoricalStatements(many))
    await opened.knex.raw('ANALYZE TABLE notes, statements')
    const few = submission(service, { statements: statements(10, 'b') })
    const { rows } = await rowsRead(opened.knex, async () => {
      await addNotes(service, some(10, 'b'))
      await answer(service.useCases.addHistoricalStatements(few))
    })
    t.true(rows < 200, `${rows} rows were read`)
  },
)

onSqlite('a request adds the same whichever of its statements has to be run again', async (t, { open }) => {
  const opened = open()
  const service = await withAccount(opened.ports, { notes: [] })
  let nth = 1
  for (let reached = true; reached; nth += 1) {
    const busy = await busyOnce(opened, nth)
    const statuses = await addNotes(service, some(3, `try ${nth}`))
    busy.end()
    reached = busy.reached()
    t.deepEqual([...new Set(statuses)], ['NOTE_CREATION_SUCCESS'], `statement ${nth}`)
  }
  t.true(nth > 7, `${nth} statements`)
  const rows = (await opened.knex('notes').pluck('body')) as string[]
  t.is(rows.length, (nth - 1) * 3)
  t.is(new Set(rows).size, rows.length)
})

const old = '2024-01-01T00:00:00Z'

onEach(
  'notes from before there were digests count after the migration, and repeats of a payload are kept',
  async (t, { open }) => {
    const opened = open()
    const { knex } = opened
    const notes = [{ body: 'twice', created_at: old }, { body: 'twice', created_at: old }, { body: 'é 🔌' }]
    const service = await withAccount(opened.ports, { notes })
    const identities = (): Promise<unknown[]> =>
      knex('notes').orderBy('ordinal').select('content_digest', 'identity_time')
    const written = await identities()
    t.like(written[0], {
      content_digest: createHash('sha256').update('body:twice').digest('hex'),
      identity_time: old,
    })
    t.like(written[1], { identity_time: null })
    // As the version before had them; the migration is then made again.
    await knex('notes').update({ content_digest: null, identity_time: null })
    t.deepEqual(await addNotes(service, [{ body: 'twice' }, { body: 'é 🔌' }]), [
      'NOTE_ALREADY_EXISTS',
      'NOTE_ALREADY_EXISTS',
    ])
    await knex('account_import_migrations').where('name', '0004-post-import').delete()
    await knex.schema.dropTable('payment_instructions')
    await knex.schema.alterTable('notes', (table) => {
      table.dropUnique([], 'notes_by_content')
    })
    t.deepEqual(await migrate(knex), ['0004-post-import'])
    t.deepEqual(await identities(), written)
    t.deepEqual(await addNotes(service, [{ body: 'twice' }]), ['NOTE_ALREADY_EXISTS'])
  },
)
