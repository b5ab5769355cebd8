import { added, type FaultRow } from '../../cluster/report/fault-row.js'
import { onBackend } from '../../support/on-backend.js'
import { cutKinds, cutRun } from './cuts.js'
import { latencyRun } from './latency.js'
import { silenceKinds, silenceRun } from './silences.js'
import type { WireRun } from './wire-run.js'

type Backend = keyof typeof onBackend
type OneRun = Readonly<{ backend: Backend; run: (url: string) => Promise<WireRun> }>

/** Runs, each on an empty database, and their rows as one. */
const together = async (
  fault: string,
  runs: readonly OneRun[],
  onFaults: (faults: readonly string[]) => void,
): Promise<FaultRow> => {
  const rows: FaultRow[] = []
  for (const { backend, run } of runs) {
    const { row, faults } = await onBackend[backend](run)
    onFaults(faults)
    rows.push({ fault, ...row })
  }
  return rows.reduce(added)
}

const cutsOf = (backend: Backend, place: 'database' | 'client', most: number): readonly OneRun[] =>
  cutKinds.map((kind) => ({ backend, run: (url) => cutRun(url, place, kind, most) }))

const silences: readonly OneRun[] = silenceKinds.flatMap((kind) =>
  (['there', 'back'] as const).map((way) => ({
    backend: 'mariadb' as const,
    run: (url: string) => silenceRun(url, kind, way),
  })),
)

/** A row for each way in which a connection goes wrong; `most` cuts of each kind of request. */
export const wireRows = async (
  most: number,
  onFaults: (faults: readonly string[]) => void,
): Promise<readonly FaultRow[]> => [
  await together('database cut off after k bytes, MariaDB', cutsOf('mariadb', 'database', most), onFaults),
  await together('client cut off after k bytes, MariaDB', cutsOf('mariadb', 'client', most), onFaults),
  await together('client cut off after k bytes, SQLite', cutsOf('sqlite', 'client', most), onFaults),
  await together('database silent, connections open', silences, onFaults),
  await together('database 25 ms away each way', [{ backend: 'mariadb', run: latencyRun }], onFaults),
]
