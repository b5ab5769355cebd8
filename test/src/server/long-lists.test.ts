import { createClient } from '@account-import/client'
import test, { type ExecutionContext } from 'ava'
import { onBackend, type DatabaseBackend } from '../support/on-backend.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'
import { mariaDbAvailable } from '../servers/index.js'
import { successOf } from '../support/results.js'
import { answer } from '../support/answers.js'
import { now } from '../sql/support/imports.js'

const numbers = Array.from({ length: 5000 }, (_, index) => `A-${String(index).padStart(6, '0')}`)

/** Stages them in another order than the list has. */
const stageAll = async ({ stores, key }: SharedDatabase): Promise<void> => {
  const backwards = numbers.toReversed()
  for (let begin = 0; begin < backwards.length; begin += 1000) {
    const part = backwards.slice(begin, begin + 1000)
    await answer(
      stores.accountImports.stage(part.map((number) => ({ key: key(number), payload: '{}', at: now() }))),
    )
  }
}

/** What the server lists for a supplier with so many imports. */
const listed = async (url: string): Promise<readonly string[]> => {
  const database = await openSharedDatabase(url)
  try {
    await stageAll(database)
    const server = await startServerProcess(database.environment)
    try {
      const client = createClient({ baseUrl: server.address, apiKey: database.apiKey })
      const { body } = successOf(
        await client.listAccountImports({ importSupplier: database.supplier, list: 'all' }),
      )
      return body.map((item) => item.external_account_number)
    } finally {
      await server.stop()
    }
  } finally {
    await database.close()
  }
}

const validated = async (t: ExecutionContext, backend: DatabaseBackend): Promise<void> => {
  t.deepEqual(await onBackend[backend](listed), numbers)
}

test('a list of 5000 imports comes whole and in order over HTTP (SQLite)', (t) => validated(t, 'sqlite'))

if (mariaDbAvailable())
  test('a list of 5000 imports comes whole and in order over HTTP (MariaDB)', (t) => validated(t, 'mariadb'))
