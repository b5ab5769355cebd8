import test from 'ava'
import { startMariaDb } from '../servers/index.js'
import { figureLine, isMissed } from './figure.js'
import { millionRun } from './million-run.js'

// Times differ on a machine that does other work as well: they are looked at where the whole run is measured.
test('twenty thousand accounts are imported in bounded memory, each once', async (t) => {
  t.timeout(600_000)
  const mariaDb = await startMariaDb()
  t.teardown(() => mariaDb.stop())
  const figures = await millionRun(await mariaDb.createDatabase(), 20_000)
  for (const figure of figures) t.log(figureLine('mariadb', figure))
  t.deepEqual(figures.filter(({ unit }) => unit === 'MiB').filter(isMissed), [])
})
