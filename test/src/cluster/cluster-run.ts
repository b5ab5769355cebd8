import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Cluster } from './cluster.js'
import type { Fault } from './fault.js'
import { faultRun, type FaultOutcome } from './fault-run.js'
import { migrated } from './migrated.js'
import { untilAllSay } from './readiness.js'
import { added, type FaultRow } from './report/fault-row.js'
import { startService, type Service } from './services.js'

/** How a cluster is tried. */
export type ClusterRun = Readonly<{
  faults: readonly Fault[]
  /** Runs of each fault. */
  rounds: number
  /** How long the load flows around a fault: 1 in a long run, less in a short one. */
  pace: number
  /** Told of each run when it has ended. */
  onOutcome(outcome: FaultOutcome): void
}>

const environment = {
  TOKEN_SIGNING_KEY: randomBytes(32).toString('base64'),
  PROCESSING_CLAIM_SECONDS: '2',
}

const eachFault = async (
  { faults, rounds, pace, onOutcome }: ClusterRun,
  cluster: Cluster,
  services: readonly Service[],
  databaseUrl: string,
): Promise<readonly FaultRow[]> => {
  const rows = new Map<string, FaultRow>()
  for (let run = 0; run < rounds; run += 1)
    for (const fault of faults) {
      await cluster.whole()
      await untilAllSay(services, 'ready')
      const flow = (seconds: number): Promise<void> => setTimeout(seconds * 1000 * pace)
      const outcome = await faultRun({ cluster, services, run, flow }, fault, databaseUrl)
      onOutcome(outcome)
      const known = rows.get(fault.name)
      rows.set(fault.name, known === undefined ? outcome.row : added(known, outcome.row))
    }
  return [...rows.values()]
}

/** Starts a server of ours for each address of a new database, and lets every fault happen to them; a row for each. */
export const clusterRun = async (cluster: Cluster, options: ClusterRun): Promise<readonly FaultRow[]> => {
  const services: Service[] = []
  try {
    const urls = await cluster.createDatabase()
    const [databaseUrl = ''] = urls
    await migrated(databaseUrl)
    for (const url of urls) services.push(await startService(url, environment))
    return await eachFault(options, cluster, services, databaseUrl)
  } finally {
    for (const service of services) await service.stop()
  }
}
