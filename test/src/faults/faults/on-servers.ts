import type { World } from '../world/world.js'
import { setTimeout } from 'node:timers/promises'
import { brokenInvariants } from '../invariants/broken-invariants.js'

/** The targets of a fault. */
export type Ground = Readonly<{
  world: World
  /** Counts from 0, so that each run of a fault uses another node. */
  run: number
  /** Continues the load for a number of seconds of a long run; shorter in a short one. */
  flow(seconds: number): Promise<void>
  /** Resolves when all database servers have the same data and take writes again. */
  whole(): Promise<void>
}>

/** A fault of databases, or of our servers, under load. */
export type Fault = Readonly<{
  name: string
  /** Injects the fault, and resolves when the databases run again, with the number of injected faults. */
  inject(ground: Ground): Promise<number>
}>

/** No fault: clients of several servers race for the same accounts. */
export const races: Fault = {
  name: 'none: races over all servers',
  async inject({ flow }) {
    await flow(8)
    return 0
  },
}

/** The number of times in a run, because each needs a second or two to recover. */
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

/** The database may still execute statements that the server had sent; a broken connection remains broken. */
const brokenAfterKill = async (world: World): Promise<readonly string[]> => {
  const broken = await brokenInvariants(world)
  if (broken.length === 0) return []
  await setTimeout(500)
  return brokenInvariants(world)
}

type Step = (world: World) => Promise<unknown>

/** The work around kills: there is always a staged account, or none is needed. */
export type Kills = Readonly<{
  times: number
  stage: Step
  /** Resolves at a moment from which on the server may be killed; counts from 0. */
  moment(world: World, kill: number): Promise<unknown>
  /** Checks the data that a killed server left. */
  whileGone: Step
}>

/**
 * Kills a server a number of times at random moments, and checks the data before each restart. No client calls a server that is
 * down.
 */
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
