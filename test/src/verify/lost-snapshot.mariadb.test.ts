import { DatabaseError, verify } from '@account-import/adapter-sql'
import { withAccount } from '../sql/support/created-account.js'
import { testDatabases } from '../sql/support/databases.js'

const { onMariaDb } = testDatabases()

type Query = Readonly<{ sql: string; bindings?: readonly unknown[] }>
type Client = { _query(connection: unknown, query: Query): Promise<unknown> }

onMariaDb(
  'a look in one moment whose connection is killed says so, not that it could not be ended',
  async (t, { open }) => {
    const { knex, ports } = open()
    await withAccount(ports)
    // A break is read again in one moment.
    await knex('accounts').update({ operations_team: 'nobody' })
    const client = knex.client as Client
    const send = client._query.bind(client)
    let isInSnapshot = false
    client._query = (connection, query) => {
      const isRead = isInSnapshot && /^select/i.test(query.sql)
      if (isRead) isInSnapshot = false
      if (query.sql.includes('CONSISTENT SNAPSHOT')) isInSnapshot = true
      return send(connection, isRead ? { sql: 'KILL CONNECTION CONNECTION_ID()' } : query)
    }
    const error = await t.throwsAsync(
      async () => {
        for await (const { kind } of verify(knex)) t.fail(`${kind} was told`)
      },
      { instanceOf: DatabaseError },
    )
    t.true([1317, 1927].includes(error.errno ?? 0), error.message)
  },
)
