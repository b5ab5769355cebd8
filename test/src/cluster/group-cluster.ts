import { startGroup } from '../servers/index.js'
import type { TriedCluster } from './fault.js'
import { groupFaults } from './faults/on-primary.js'

/** Three members of a MySQL group, and three servers of ours that know all of them. */
export const startGroupCluster = async (): Promise<TriedCluster> => {
  const group = await startGroup()
  const [row] = await (await group.primary()).query('SELECT VERSION() AS version')
  const cluster = {
    name: 'Group Replication',
    what: `3 members of MySQL ${row?.['version']} with Group Replication, single primary`,
    async createDatabase() {
      const url = await group.createDatabase()
      return group.nodes.map(() => url)
    },
    whole: () => group.whole(),
    stop: () => group.stop(),
  }
  return { cluster, faults: groupFaults(group) }
}
