import test from 'ava'
import { tempFolder } from '../support/temp-folder.js'
import { importedOf, importing, mixedLines } from './support/importing.js'

test('an import of more accounts than the rate of its key allows in a window goes on until its end', async (t) => {
  const settings = { RATE_LIMIT_PER_KEY: '25/1' }
  const { database, client, put, summary } = await importing(
    t,
    `sqlite:${await tempFolder(t)}/test.db`,
    settings,
  )
  const file = await put('a.ndjson', mixedLines(database.supplier, 60).join('\n'))
  t.like(await summary(file, [], 1), { accounts: 60, created: 48, failed: 12 })
  t.is((await importedOf(client, database.supplier)).size, 48)
})
