import { E } from '@account-import/core/adapter-kit'
import { setTimeout } from 'node:timers/promises'
import { answer, failure } from '../support/answers.js'
import { withAccount } from './support/created-account.js'
import { testDatabases } from './support/databases.js'
import { keyOf, stagingOf } from './support/imports.js'
import { waitingForLocks } from './support/waiting-for-locks.js'

const { onMariaDb, onServers } = testDatabases()

onMariaDb(
  'a unit of work that loses its connection answers what its work does, not that nothing could be rolled back',
  async (t, { open }) => {
    const [opened, other] = [open({ maxConnections: 1 }), open()]
    const { unitOfWork, accounts } = opened.ports
    const loseConnections = async (): Promise<void> => {
      const [found] = await other.knex.raw(
        'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
      )
      for (const { id } of found) await other.knex.raw(`KILL ${id}`)
      await setTimeout(100)
    }
    await answer(accounts.find(keyOf('A')))
    const refused = await unitOfWork.run(() => async () => {
      await loseConnections()
      return E.left('refused')
    })()
    t.deepEqual(refused, E.left('refused'))
    const failed = await failure(
      unitOfWork.run((stores) => async () => {
        await loseConnections()
        return stores.accounts.lock(keyOf('A'))()
      }),
    )
    t.like(failed, { kind: 'unavailable', port: 'accounts', operation: 'lock' })
    t.is(await answer(accounts.find(keyOf('A'))), undefined)
  },
)

for (const kill of ['KILL CONNECTION', 'KILL QUERY'])
  onServers(
    `a unit of work is unavailable when an operator ends it with ${kill} while it waits for a row`,
    async (t, { open }) => {
      const [{ ports }, other] = [open(), open()]
      const { organisation, supplier: importSupplier } = await withAccount(ports, { notes: [] })
      const key = { organisation, importSupplier, externalAccountNumber: 'A-1' }
      const lock = () => ports.unitOfWork.run((stores) => stores.accounts.lock(key))
      const holder = await other.knex.transaction()
      await holder('accounts').where({ organisation }).forUpdate()
      const waits = failure(lock())
      await waitingForLocks(other, 1)
      const [waiting] = (await other.knex.raw(
        'SELECT p.id AS id FROM information_schema.innodb_trx AS t JOIN information_schema.processlist AS p ' +
          "ON p.id = t.trx_mysql_thread_id WHERE p.db = DATABASE() AND t.trx_state = 'LOCK WAIT'",
      )) as [readonly { id: number }[]]
      for (const { id } of waiting) await other.knex.raw(`${kill} ${id}`)
      const { kind } = await waits
      await holder.rollback()
      t.is(kind, 'unavailable')
      t.like(await answer(lock()), { key })
    },
  )

/** What each server says when it cannot now, by its number: some have no name in the driver. */
const unavailable = [1021, 1040, 1053, 1077, 1114, 1180, 1203, 1226, 1317, 1927, 3100, 3101]

onServers('what a server cannot do now is unavailable, by the number of its error', async (t, { open }) => {
  const { knex, ports } = open()
  const kinds: string[] = []
  for (const number of [...unavailable, 1644]) {
    await knex.raw(
      'CREATE TRIGGER says BEFORE INSERT ON account_imports FOR EACH ROW ' +
        `SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${number}`,
    )
    const { kind } = await failure(ports.accountImports.stage([stagingOf('A')]))
    kinds.push(`${number} ${kind}`)
    await knex.raw('DROP TRIGGER says')
  }
  t.deepEqual(kinds, [...unavailable.map((number) => `${number} unavailable`), '1644 unexpected'])
})
