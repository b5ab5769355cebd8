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

/**
 * Carries so many accounts through an import by the command line, on an empty MySQL or MariaDB, reads lists and summary of
 * them from a server that was started anew, and then lets nine tenths as many wait.
 */
export const millionRun = (url: string, count: number): Promise<readonly Figure[]> =>
  withDatabase(url, async (database) => [
    ...(await withServer(database, (surroundings) => importFigures(surroundings, count))),
    ...(await withServer(database, async (surroundings) => [
      ...(await listFigures(surroundings, ['all', 'imported'], count)),
      await summaryFigure(surroundings, count),
    ])),
    await pendingFigure(database, Math.floor(count * 0.9)),
  ])
