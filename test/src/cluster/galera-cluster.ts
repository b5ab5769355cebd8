import { startGalera } from '../servers/index.js'
import type { TriedCluster } from './fault.js'
import { nodeFaults } from './faults/on-nodes.js'

/** Three nodes of Galera, each with a server of ours. */
export const startGaleraCluster = async (): Promise<TriedCluster> => {
  const galera = await startGalera(3)
  const [first] = galera.nodes
  const versions = (await first?.query(
    'SELECT VERSION() AS server, VARIABLE_VALUE AS galera FROM information_schema.GLOBAL_STATUS ' +
      "WHERE VARIABLE_NAME = 'wsrep_provider_version'",
  )) as readonly Readonly<{ server: string; galera: string }>[] | undefined
  const cluster = {
    name: 'Galera',
    what: `3 nodes of MariaDB ${versions?.[0]?.server} with Galera ${versions?.[0]?.galera}`,
    async createDatabase() {
      const name = await galera.createDatabase()
      return galera.nodes.map((node) => node.url(name))
    },
    async whole() {
      try {
        await galera.whole(30_000)
      } catch {
        // A node that does not find back by itself is started again, as an operator would.
        for (const node of galera.nodes)
          if ((await node.view()) === undefined) {
            console.error(`${node.name} does not come back by itself and is started again`)
            await node.kill()
            await node.start()
          }
        await galera.whole()
      }
    },
    stop: () => galera.stop(),
  }
  return { cluster, faults: nodeFaults(galera.nodes) }
}
