import type { Scheduler } from 'fast-check'
import type { SettableClock } from '../../use-cases/support/service.js'
import { add } from './adding.js'
import { faultsAtTheEnd, halfThere, prepared } from './begin-and-end.js'
import { clientOf, type Client, type Known } from './client.js'
import { deterministicPorts } from './deterministic-ports.js'
import { configure, deliver, list, look, pause, signIn, skip } from './other-commands.js'
import type { Command, Plan } from './plan.js'
import type { Plant } from './planted.js'
import { processOnce } from './processing-once.js'
import { startServers } from './servers.js'
import { bulkProcess, bulkStage, process, stage } from './staging-and-processing.js'

export type Simulated = Readonly<{
  injected: number
  counts: Known['counts']
  violations: readonly string[]
}>

const doCommand = async (client: Client, command: Command, clock: SettableClock): Promise<void> => {
  switch (command.does) {
    case 'stage':
      return stage(client, command.account)
    case 'processOnce':
      return processOnce(client, command.account, command.times)
    case 'look':
      return look(client, command.account)
    case 'process':
      return process(client, command.account, command.isDryRun)
    case 'add':
      return add(client, command.account, command.kind, command.isTwice)
    case 'skip':
      return skip(client, command.account, command.skipped)
    case 'pass':
      return clock.pass(command.seconds)
    default:
      return { bulkStage, bulkProcess, list, configure, pause, signIn, deliver }[command.does](client)
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** More than the turns of the event loop that pass between two calls of a server whose client is gone. */
const turnsWithoutCalls = 5

/** As often as is cheap: a look at all accounts takes as long as some ten calls. */
const stepsBetweenLooks = 20

/**
 * Lets one thing happen after the other, in the order of the scheduler, until all clients have ended and nothing is left to
 * happen; between two things it may be looked at what is there.
 */
const runToEnd = async (
  scheduler: Scheduler,
  clients: Promise<unknown>,
  look: () => Promise<void>,
): Promise<void> => {
  let haveEnded = false
  const end = (): void => void (haveEnded = true)
  clients.then(end, end)
  let steps = 0
  for (let turns = 0; !haveEnded || turns < turnsWithoutCalls; turns += 1) {
    await turn()
    if (scheduler.count() === 0) continue
    if ((steps += 1) % stepsBetweenLooks === 0) await look()
    await scheduler.waitOne()
    turns = 0
  }
}

/** Runs the plan, with what a mistake planted, in the order of the scheduler; says what was wrong. */
export const simulate = async (
  scheduler: Scheduler,
  plan: Plan,
  plant: Plant = (ports) => ports,
): Promise<Simulated> => {
  const { ports, clock } = deterministicPorts()
  const known = await prepared(ports)
  const servers = startServers(plant(ports), scheduler, plan)
  const live = async (client: Client, commands: readonly Command[]): Promise<void> => {
    for (const command of commands) {
      await scheduler.schedule(Promise.resolve(), `client ${client.ordinal}: ${command.does}`)
      await doCommand(client, command, clock)
    }
  }
  const lives = Promise.all(
    plan.clients.map((commands, ordinal) => live(clientOf(known, servers, ordinal), commands)),
  )
  await runToEnd(scheduler, lives, async () => void known.violations.push(...(await halfThere(ports))))
  await lives
  const violations = [...known.violations, ...(await faultsAtTheEnd(ports, clock, known))]
  return { injected: servers.injected(), counts: known.counts, violations }
}
