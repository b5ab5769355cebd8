import type { Cluster } from './cluster.js'
import type { Service } from './services.js'

/** What a fault may act on. */
export type Ground = Readonly<{
  cluster: Cluster
  services: readonly Service[]
  /** Counts from 0, so that each run of a fault takes another node. */
  run: number
  /** Lets the load go on for so many seconds of a long run; shorter in a short one. */
  flow(seconds: number): Promise<void>
}>

/** Something that happens to a cluster or to the servers of ours, under load. */
export type Fault = Readonly<{
  name: string
  /** Lets it happen, and resolves when the databases run again; with how many faults it injected. */
  inject(ground: Ground): Promise<number>
}>

/** A cluster, and what happens to it. */
export type TriedCluster = Readonly<{ cluster: Cluster; faults: readonly Fault[] }>
