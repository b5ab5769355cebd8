import { loadavg } from 'node:os'
import { machineText, markdownTable, saveTable } from '../../performance/index.js'
import { faultTable, type FaultRow } from './fault-row.js'

/** Before anything of ours runs. */
const [load = 0] = loadavg()

/**
 * Writes the rows into their section of docs/reference/fault-report.md, which has marks with its name. `what` says on
 * what they were measured, as `Galera 26.4, MariaDB 10.11`. Writes nothing where runs found something broken, which its columns
 * do not show, or a fault did not happen; says so then.
 */
export const saveFaults = (
  section: string,
  what: string,
  rows: readonly FaultRow[],
  broken: number,
): string | undefined => {
  if (broken > 0)
    return `${section}: not saved, as ${broken} run(s) found something broken, or did not break what they should`
  saveTable(
    section,
    `${machineText(what)}; load ${load.toFixed(1)} before.\n\n${markdownTable(faultTable(rows), 1)}`,
    'fault-report',
  )
  return undefined
}
