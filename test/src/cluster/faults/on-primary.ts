import { until, type Group, type GroupNode } from '../../servers/index.js'
import type { Fault, Ground } from '../fault.js'
import { untilAllSay } from '../readiness.js'
import { races, rollingRestart } from './on-nodes.js'

/** Resolves when another member takes writes: the group needs its time to notice, and to choose. */
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

/** What happens to the primary, and what undoes it once another member has taken over. */
const primaryLost = (
  group: Group,
  name: string,
  lose: (primary: GroupNode) => Promise<void> | void,
  giveBack: (primary: GroupNode) => Promise<void> | void,
): Fault => ({
  name,
  async inject({ flow }: Ground) {
    const primary = await group.primary()
    await lose(primary)
    try {
      await successorOf(group, primary)
      await flow(4)
    } finally {
      await giveBack(primary)
    }
    await flow(2)
    await group.whole()
    return 1
  },
})

/**
 * Two members are killed, one of them the primary. What was acknowledged a majority has, but not each of them: the group
 * begins again with the one that has most, when all are there to be compared.
 */
const majorityLost = (group: Group): Fault => ({
  name: 'majority lost (kill -9), restored',
  async inject({ services, run, flow }) {
    const primary = await group.primary()
    const survivor = othersThan(group, primary)[run % 2] as GroupNode
    const killed = othersThan(group, survivor)
    await Promise.all(killed.map((node) => node.kill()))
    await Promise.all([flow(6), untilAllSay(services, 'database_read_only')])
    for (const node of killed) await node.launch()
    await (await group.mostAdvanced()).goOnAlone()
    await group.whole()
    return killed.length
  },
})

/** The primary stays the primary: there is nobody to go to. */
const primaryReadOnly = (group: Group): Fault => ({
  name: 'primary made read-only, and writable again',
  async inject({ services, flow }) {
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

/** What is done to a group of which one member takes writes. */
export const groupFaults = (group: Group): readonly Fault[] => [
  races,
  primarySwitched(group),
  primaryLost(
    group,
    'primary killed (kill -9), started again',
    (node) => node.kill(),
    (node) => node.start(),
  ),
  primaryLost(
    group,
    'primary cut off from the others, joined again',
    (node) => node.isolate(),
    (node) => node.rejoin(),
  ),
  primaryLost(
    group,
    'primary stopped and continued (SIGSTOP)',
    (node) => node.pause(),
    (node) => node.resume(),
  ),
  majorityLost(group),
  primaryReadOnly(group),
  rollingRestart(group.nodes),
]
