import {
  until,
  type ClusterNode,
  type Group,
  type GroupNode,
  type MariaDb,
  type SmallDisk,
} from '../../servers/index.js'
import { untilAllSay } from '../world/world.js'
import { killsOfARun, races, type Fault } from './on-servers.js'

export const databaseKilled = (database: Pick<MariaDb, 'kill' | 'restart'>): Fault => ({
  name: 'database killed (kill -9), started again',
  async inject({ world: { services }, flow }) {
    for (let turn = 0; turn < killsOfARun; turn += 1) {
      await flow(1 + Math.random())
      await database.kill()
      await untilAllSay(services, 'database_unavailable')
      await database.restart()
      await untilAllSay(services, 'ready')
    }
    return killsOfARun
  },
})

/** A node of shards, each time the one that has the imports. The head, and so `/readyz`, works without it. */
export const dataNodeKilled = (nodeInUse: () => Promise<Pick<MariaDb, 'kill' | 'restart'>>): Fault => ({
  name: 'data node killed (kill -9), started again',
  async inject({ flow }) {
    for (let turn = 0; turn < killsOfARun; turn += 1) {
      await flow(1 + Math.random())
      const node = await nodeInUse()
      await node.kill()
      await flow(1)
      await node.restart()
    }
    return killsOfARun
  },
})

/**
 * `isNoticed`: whether every write fails on the full disk. A database server may have room of its own for a small row. `revive` starts a
 * server again that has ended.
 */
export const diskFull = (disk: SmallDisk, isNoticed: boolean, revive?: () => Promise<void>): Fault => ({
  name: 'disk full, then with room again',
  async inject({ world: { services }, flow }) {
    disk.fill()
    try {
      await flow(6)
      // Reads continue, but a service that cannot write is not ready.
      if (isNoticed) await untilAllSay(services, 'database_unavailable')
    } finally {
      disk.makeRoom()
    }
    await revive?.()
    await untilAllSay(services, 'ready')
    return 1
  },
})

type Nodes = readonly ClusterNode[]

const turnOf = (nodes: Nodes, run: number): readonly [number, ClusterNode] => {
  const place = run % nodes.length
  const node = nodes[place]
  if (node === undefined) throw new Error('The cluster has no nodes')
  return [place, node]
}

type Act<Node> = (node: Node) => Promise<void> | void

type Loss = Readonly<{ what: string; lose: Act<ClusterNode>; giveBack: Act<ClusterNode> }>

const losses = {
  killed: {
    what: 'killed (kill -9), started again',
    lose: (node) => node.kill(),
    giveBack: (node) => node.start(),
  },
  cutOff: {
    what: 'cut off from the others, joined again',
    lose: (node) => node.isolate(),
    giveBack: (node) => node.rejoin(),
  },
  paused: {
    what: 'stopped and continued (SIGSTOP)',
    lose: (node) => node.pause(),
    giveBack: (node) => node.resume(),
  },
} satisfies Readonly<Record<string, Loss>>

/** The next node is lost; `says` is the response of `/readyz` on its server meanwhile. */
const nodeLost = (nodes: Nodes, { what, lose, giveBack }: Loss, says: string): Fault => ({
  name: `node ${what}`,
  async inject({ world: { services }, run, flow, whole }) {
    const [place, node] = turnOf(nodes, run)
    await lose(node)
    try {
      await Promise.all([flow(8), untilAllSay(services.slice(place, place + 1), says)])
    } finally {
      await giveBack(node)
    }
    await whole()
    return 1
  },
})

const majority = 'majority lost (kill -9), restored'

const majorityLost = (nodes: Nodes): Fault => ({
  name: majority,
  async inject({ world: { services }, run, flow, whole }) {
    const [place, survivor] = turnOf(nodes, run)
    const others = nodes.filter((node) => node !== survivor)
    await Promise.all(others.map((node) => node.kill()))
    await Promise.all([flow(6), untilAllSay(services.slice(place, place + 1), 'database_not_in_cluster')])
    await survivor.goOnAlone()
    await flow(3)
    for (const node of others) await node.start()
    await whole()
    return others.length
  },
})

const rollingRestart = (nodes: Nodes): Fault => ({
  name: 'rolling restart of the databases and the servers',
  async inject({ world: { services }, flow, whole }) {
    for (const node of nodes) {
      await node.end()
      await node.start()
      await whole()
      await flow(1)
    }
    for (const service of services) {
      await service.stop()
      await service.start()
      await flow(1)
    }
    return nodes.length + services.length
  },
})

export const nodeFaults = (nodes: Nodes): readonly Fault[] => [
  races,
  nodeLost(nodes, losses.killed, 'database_unavailable'),
  nodeLost(nodes, losses.cutOff, 'database_not_in_cluster'),
  nodeLost(nodes, losses.paused, 'timed_out'),
  majorityLost(nodes),
  rollingRestart(nodes),
]

/** Resolves when another member takes writes: the group needs time to detect the loss, and to elect. */
const successorOf = (group: Group, old: GroupNode): Promise<void> =>
  until(async () => {
    for (const node of group.nodes) if (node !== old && (await node.leads())) return true
    return false
  }, 'another member takes writes')

const othersThan = (group: Group, node: GroupNode): readonly GroupNode[] =>
  group.nodes.filter((each) => each !== node)

const primarySwitched = (group: Group): Fault => ({
  name: 'primary switched by the operator',
  async inject({ run, flow }) {
    for (let turn = 0; turn < 3; turn += 1) {
      const others = othersThan(group, await group.primary())
      await others[(run + turn) % others.length]?.lead()
      await flow(2)
    }
    return 3
  },
})

/** The primary is lost, and is restored once another member has become primary. */
const primaryLost = (group: Group, { what, lose, giveBack }: Loss): Fault => ({
  name: `primary ${what}`,
  async inject({ flow, whole }) {
    const primary = await group.primary()
    await lose(primary)
    try {
      await successorOf(group, primary)
      await flow(4)
    } finally {
      await giveBack(primary)
    }
    await flow(2)
    await whole()
    return 1
  },
})

/**
 * Two members are killed, one of them the primary. A majority has all acknowledged data, but not each of them: the group restarts
 * with the one that has most, once all can be compared.
 */
const groupMajorityLost = (group: Group): Fault => ({
  name: majority,
  async inject({ world: { services }, run, flow, whole }) {
    const primary = await group.primary()
    const survivor = othersThan(group, primary)[run % 2] as GroupNode
    const killed = othersThan(group, survivor)
    await Promise.all(killed.map((node) => node.kill()))
    await Promise.all([flow(6), untilAllSay(services, 'database_read_only')])
    for (const node of killed) await node.launch()
    await (await group.mostAdvanced()).goOnAlone()
    await whole()
    return killed.length
  },
})

/** The primary remains the primary, because there is no other. */
const primaryReadOnly = (group: Group): Fault => ({
  name: 'primary made read-only, and writable again',
  async inject({ world: { services }, flow }) {
    const primary = await group.primary()
    await primary.query('SET GLOBAL super_read_only = ON')
    try {
      await Promise.all([flow(4), untilAllSay(services, 'database_read_only')])
    } finally {
      await primary.query('SET GLOBAL super_read_only = OFF; SET GLOBAL read_only = OFF')
    }
    return 1
  },
})

export const groupFaults = (group: Group): readonly Fault[] => [
  races,
  primarySwitched(group),
  ...Object.values(losses).map((loss) => primaryLost(group, loss)),
  groupMajorityLost(group),
  primaryReadOnly(group),
  rollingRestart(group.nodes),
]
