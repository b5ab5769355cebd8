import { verified } from '../verify/support/breaks-of.js'
import type { SharedDatabase } from '../support/shared-database.js'
import type { Figure } from './figure.js'
import { importFigures } from './import-run.js'
import { listFigures } from './lists-run.js'
import { median } from './median.js'
import { pendingFigure } from './pending-run.js'
import { withDatabase, withServer, type Surroundings } from './with-server.js'

const mostMilliseconds = 300

const summaryFigure = async ({ reader }: Surroundings, count: number): Promise<Figure> => {
  const times: number[] = []
  for (let repetition = 0; repetition < 20; repetition += 1) {
    const begun = performance.now()
    const { created } = await reader.summary()
    times.push(performance.now() - begun)
    if (created !== count) throw new Error(`The summary counts ${created} accounts, not ${count}`)
  }
  return {
    name: 'summary',
    detail: `slowest ${Math.max(...times).toFixed(1)} ms`,
    value: median(times),
    unit: 'ms',
    most: mostMilliseconds,
  }
}

/** Everything that the import left behind is compared with everything else. */
const verifyFigure = async ({ knex }: SharedDatabase, count: number): Promise<Figure> => {
  const begun = performance.now()
  const { breaks, looked } = await verified(knex)
  const seconds = (performance.now() - begun) / 1000
  if (breaks.length > 0) throw new Error(`${breaks.length} breaks, the first ${JSON.stringify(breaks[0])}`)
  if (looked.accounts !== count) throw new Error(`${looked.accounts} accounts were verified, not ${count}`)
  return {
    name: 'accounts verified, without a break',
    detail: `${looked.rows} rows in ${seconds.toFixed(1)} s`,
    value: count / seconds,
    unit: 'a second',
  }
}

/**
 * Carries so many accounts through an import by the command line, on an empty MySQL or MariaDB, reads lists and summary of
 * them from a server that was started anew, verifies the database, and then lets nine tenths as many wait.
 */
export const millionRun = (url: string, count: number): Promise<readonly Figure[]> =>
  withDatabase(url, async (database) => [
    ...(await withServer(database, (surroundings) => importFigures(surroundings, count))),
    ...(await withServer(database, async (surroundings) => [
      ...(await listFigures(surroundings, ['all', 'imported'], count)),
      await summaryFigure(surroundings, count),
    ])),
    await verifyFigure(database, count),
    await pendingFigure(database, Math.floor(count * 0.9)),
  ])
