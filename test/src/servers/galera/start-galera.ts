import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.js'
import { giveNewData } from '../mariadb-data.js'
import { makeServerFolder, mariaDbPrograms } from '../mariadb-process.js'
import { runCommand } from '../run-command.js'
import { until } from '../until.js'
import { galeraNode, type GaleraNode } from './galera-node.js'
import { galeraProvider, nodeSettings, type NodePorts } from './settings.js'

/** A cluster on ports of the loopback address, in temporary folders. */
export type Galera = Readonly<{
  nodes: readonly GaleraNode[]
  /** Makes an empty database on all nodes; gives its new name. */
  createDatabase(): Promise<string>
  /** Resolves when all nodes are in one cluster that has its majority, and take writes. */
  whole(mostMilliseconds?: number): Promise<void>
  /** Ends all nodes and removes their folders. */
  stop(): Promise<void>
}>

/**
 * Whether Galera is installed. With REQUIRE_SERVERS=1 its absence is an error; without, AVA's configuration says once
 * for all test files what is left out.
 */
export const galeraAvailable = (): boolean => {
  if (mariaDbPrograms() !== undefined && galeraProvider() !== undefined) return true
  if (process.env['REQUIRE_SERVERS'] === '1')
    throw new Error('Galera is not installed, and REQUIRE_SERVERS=1 asks for it')
  return false
}

const freePorts = async (): Promise<NodePorts> => ({
  sql: await freePort(),
  group: await freePort(),
  missed: await freePort(),
  copy: await freePort(),
})

/**
 * Lets all nodes begin with the data of the first after it was alone in the cluster: it says to which cluster it belongs and
 * how far it is, so that none has to be given a copy of another's.
 */
const giveSameData = async (
  install: string,
  [first = '', ...others]: readonly string[],
  [firstNode]: readonly GaleraNode[],
): Promise<void> => {
  await giveNewData(install, first)
  await firstNode?.start(true)
  await firstNode?.end()
  for (const other of others) await runCommand('cp', ['-a', join(first, 'data'), other])
}

/** For so long all have to say the same: a node that stood still says what was before, until it hears of the others. */
const heldMilliseconds = 1000

/** Resolves when all nodes see the same cluster, with all of them in it, and go on seeing it. */
const agreement = async (nodes: readonly GaleraNode[], mostMilliseconds: number): Promise<void> => {
  let seen: string | undefined
  let since = 0
  const isHeld = async (): Promise<boolean> => {
    const [first, ...others] = await Promise.all(nodes.map((node) => node.view()))
    const isWhole = first?.size === nodes.length && others.every((other) => other?.id === first.id)
    const now = performance.now()
    if (!isWhole || first.id !== seen) since = now
    seen = isWhole ? first.id : undefined
    return isWhole && now - since >= heldMilliseconds
  }
  await until(isHeld, `all ${nodes.length} nodes are in one cluster`, mostMilliseconds)
}

/** Starts a cluster of so many nodes. They end with this process at the latest. */
export const startGalera = async (count = 3): Promise<Galera> => {
  const [programs, provider] = [mariaDbPrograms(), galeraProvider()]
  if (programs === undefined || provider === undefined) throw new Error('Galera is not installed')
  const folders = Array.from({ length: count }, () => makeServerFolder())
  const ports: NodePorts[] = []
  for (let index = 0; index < count; index += 1) ports.push(await freePorts())
  const nodes = folders.map((folder, index) => {
    const own = ports[index] as NodePorts
    const name = `node-${index + 1}`
    return galeraNode(programs.server, folder, name, own.sql, nodeSettings(provider, name, own, ports))
  })
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()))
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
  let databases = 0
  try {
    await giveSameData(programs.install, folders, nodes)
    for (const [index, node] of nodes.entries()) await node.start(index === 0)
    await agreement(nodes, 60_000)
  } catch (cause) {
    await stop()
    throw cause
  }
  return {
    nodes,
    stop,
    whole: (mostMilliseconds = 60_000) => agreement(nodes, mostMilliseconds),
    async createDatabase() {
      databases += 1
      const name = `import_${databases}`
      await nodes[0]?.query(`CREATE DATABASE ${name}`)
      const isThere = `SHOW DATABASES LIKE '${name}'`
      for (const node of nodes)
        await until(async () => (await node.query(isThere)).length === 1, `${node.name} has ${name}`)
      return name
    },
  }
}
