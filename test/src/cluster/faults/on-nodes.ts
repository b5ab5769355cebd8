import type { ClusterNode } from '../../servers/index.js'
import type { Fault } from '../fault.js'
import { untilAllSay } from '../readiness.js'

/** Nothing happens: clients of several servers race for the same accounts. */
export const races: Fault = {
  name: 'none: races over all servers',
  async inject({ flow }) {
    await flow(8)
    return 0
  },
}

type Nodes = readonly ClusterNode[]

/** The place of the node whose turn it is, and the node. */
const turnOf = (nodes: Nodes, run: number): readonly [number, ClusterNode] => {
  const place = run % nodes.length
  const node = nodes[place]
  if (node === undefined) throw new Error('The cluster has no nodes')
  return [place, node]
}

/** What happens to the node whose turn it is, what `/readyz` of the server on it says then, and what undoes it. */
type Loss = Readonly<{
  name: string
  lose(node: ClusterNode): Promise<void> | void
  says: string
  giveBack(node: ClusterNode): Promise<void> | void
}>

const nodeLost = (nodes: Nodes, { name, lose, says, giveBack }: Loss): Fault => ({
  name,
  async inject({ cluster, services, run, flow }) {
    const [place, node] = turnOf(nodes, run)
    await lose(node)
    try {
      await Promise.all([flow(8), untilAllSay(services.slice(place, place + 1), says)])
    } finally {
      await giveBack(node)
    }
    await cluster.whole()
    return 1
  },
})

const losses: readonly Loss[] = [
  {
    name: 'node killed (kill -9), started again',
    lose: (node) => node.kill(),
    says: 'database_unavailable',
    giveBack: (node) => node.start(),
  },
  {
    name: 'node cut off from the others, joined again',
    lose: (node) => node.isolate(),
    says: 'database_not_in_cluster',
    giveBack: (node) => node.rejoin(),
  },
  {
    name: 'node stopped and continued (SIGSTOP)',
    lose: (node) => node.pause(),
    says: 'timed_out',
    giveBack: (node) => node.resume(),
  },
]

const majorityLost = (nodes: Nodes): Fault => ({
  name: 'majority lost (kill -9), restored',
  async inject({ cluster, services, run, flow }) {
    const [place, survivor] = turnOf(nodes, run)
    const others = nodes.filter((node) => node !== survivor)
    await Promise.all(others.map((node) => node.kill()))
    await Promise.all([flow(6), untilAllSay(services.slice(place, place + 1), 'database_not_in_cluster')])
    await survivor.goOnAlone()
    await flow(3)
    for (const node of others) await node.start()
    await cluster.whole()
    return others.length
  },
})

export const rollingRestart = (nodes: Nodes): Fault => ({
  name: 'rolling restart of the databases and the servers',
  async inject({ cluster, services, flow }) {
    for (const node of nodes) {
      await node.end()
      await node.start()
      await cluster.whole()
      await flow(1)
    }
    for (const service of services) {
      await service.restart()
      await flow(1)
    }
    return nodes.length + services.length
  },
})

/** What is done to a cluster of which each node takes writes, with a server of ours on each. */
export const nodeFaults = (nodes: Nodes): readonly Fault[] => [
  races,
  ...losses.map((loss) => nodeLost(nodes, loss)),
  majorityLost(nodes),
  rollingRestart(nodes),
]
