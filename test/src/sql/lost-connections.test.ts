import { E } from '@account-import/core/adapter-kit'
import { setTimeout } from 'node:timers/promises'
import { answer, failure } from '../support/answers.js'
import { testDatabases } from './support/databases.js'
import { keyOf } from './support/imports.js'

const { onMariaDb } = testDatabases()

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
