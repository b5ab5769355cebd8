import type { World } from '../world/world.js'

/** What a fault may act on. */
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
