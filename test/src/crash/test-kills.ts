import test, { type ExecutionContext } from 'ava'
import { mariaDbAvailable } from '../servers/index.js'
import { onBackend, type DatabaseBackend } from '../support/on-backend.js'

type Summary = Readonly<{ faults: readonly unknown[]; interrupted: number }>

/**
 * Registers a run with kills on each database, 3 on MariaDB and 2 on SQLite; commands make more of them. It fails on any
 * fault, when no kill hit a request, and when what was answered and what was done unanswered are not `all` that there is.
 */
export const testKills = <S extends Summary>(
  title: (kills: number) => string,
  run: (url: string, kills: number) => Promise<S>,
  sides: (summary: S) => Readonly<{ known: number; all: number }>,
): void => {
  const passes = async (t: ExecutionContext, backend: DatabaseBackend, kills: number): Promise<void> => {
    const summary = await onBackend[backend]((url) => run(url, kills))
    t.log(JSON.stringify(summary))
    t.deepEqual(summary.faults, [])
    const { known, all } = sides(summary)
    t.is(known, all)
    t.true(summary.interrupted > 0, 'no kill hit a request')
  }
  if (mariaDbAvailable()) test.serial(`${title(3)} (MariaDB)`, (t) => passes(t, 'mariadb', 3))
  test.serial(`${title(2)} (SQLite)`, (t) => passes(t, 'sqlite', 2))
}
