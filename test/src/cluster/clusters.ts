import { galeraAvailable, groupProgram, mariaDbAvailable } from '../servers/index.js'
import type { TriedCluster } from './fault.js'
import { startGaleraCluster } from './galera-cluster.js'
import { startGroupCluster } from './group-cluster.js'
import { startOneMariaDb } from './one-mariadb.js'
import { startOneSqlite } from './one-sqlite.js'

/** A kind of cluster that is tried. */
export type ClusterKind = Readonly<{
  start(): Promise<TriedCluster>
  /** What it needs and is not there. */
  missing(): string | undefined
}>

const missingForGroup = (): string | undefined => {
  const program = groupProgram()
  return 'missing' in program ? program.missing : undefined
}

export const clusterKinds: Readonly<Record<string, ClusterKind>> = {
  galera: {
    start: startGaleraCluster,
    missing: () => (galeraAvailable() ? undefined : 'Galera (apt-get install galera-4)'),
  },
  group: { start: startGroupCluster, missing: missingForGroup },
  mariadb: {
    start: startOneMariaDb,
    missing: () => (mariaDbAvailable() ? undefined : 'MariaDB (apt-get install mariadb-server-core)'),
  },
  sqlite: { start: startOneSqlite, missing: () => undefined },
}
