import type { World } from '../world/world.js'
import { setTimeout } from 'node:timers/promises'
import { brokenInvariants } from '../invariants/broken-invariants.js'

/** The targets of a fault. */
export type Ground = Readonly<{
  world: World
  /** Counts from 0, so that each run of a fault takes another node. */
  run: number
  /** Lets the load go on for so many seconds of a long run; shorter in a short one. */
  flow(seconds: number): Promise<void>
  /** Resolves when all database servers hold the same and take writes again. */
  whole(): Promise<void>
}>

/** Something that happens to databases, or to the servers of ours, under load. */
export type Fault = Readonly<{
  name: string
  /** Lets it happen, and resolves when the databases run again; with how many faults it injected. */
  inject(ground: Ground): Promise<number>
}>

/** Nothing happens: clients of several servers race for the same accounts. */
export const races: Fault = {
  name: 'none: races over all servers',
  async inject({ flow }) {
    await flow(8)
    return 0
  },
}

/** So often in a run, as it takes them a second or two to be back. */
export const killsOfARun = 3

export const serverKilled: Fault = {
  name: 'server killed (kill -9), started again',
  async inject({ world: { services }, run, flow }) {
    for (let turn = 0; turn < killsOfARun; turn += 1) {
      await flow(1 + Math.random())
      const service = services[(run + turn) % services.length]
      await service?.kill()
      await service?.start()
    }
    return killsOfARun
  },
}

/** The database may still do what the server had sent: what is broken stays broken. */
const brokenAfterKill = async (world: World): Promise<readonly string[]> => {
  const broken = await brokenInvariants(world)
  if (broken.length === 0) return []
  await setTimeout(500)
  return brokenInvariants(world)
}

type Step = (world: World) => Promise<unknown>

/** The work around kills: there is always something staged, or nothing has to be. */
export type Kills = Readonly<{
  times: number
  stage: Step
  /** Resolves at a moment from which on the server may be killed; counts from 0. */
  moment(world: World, kill: number): Promise<unknown>
  /** Looks at what a killed server left. */
  whileGone: Step
}>

/** Kills a server so often at random moments, and looks at what is there before it is started again. Nobody asks a server that is gone. */
export const killedAtOnce = ({ times, stage, moment, whileGone }: Kills): Fault => ({
  name: 'server killed at any moment (kill -9), started again',
  async inject({ world }) {
    const { services, load, tally } = world
    for (let kill = 0; kill < times; kill += 1) {
      await stage(world)
      await moment(world, kill)
      await setTimeout(5 + Math.random() * 395)
      await Promise.all([services[0]?.kill(), load.pause()])
      await whileGone(world)
      tally.violations.push(...(await brokenAfterKill(world)))
      await services[0]?.start()
      load.resume()
    }
    await stage(world)
    return times
  },
})
