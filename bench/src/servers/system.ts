import type { RunJob } from '../load/job-runner.js'
import type { Verb } from '../workload/verbs.js'

/**
 * What is measured: this build, another build of the service, the floor (the least that does the work, by hand), and the
 * peer (what a team would build with Fastify, Ajv and mysql2).
 */
export const targets = ['ours', 'base', 'floor', 'fastify'] as const
export type Target = (typeof targets)[number]

/** A server under measurement, with an empty database of its own. */
export type System = Readonly<{
  target: Target
  port: number
  /** What its requests are authorised by. */
  token: string
  pid: number
  /** Empty: SQLite in a folder of its own. */
  databaseUrl: string
  /** What it does without being asked over HTTP. */
  drives?: Readonly<{ verbs: readonly Verb[]; run: RunJob }>
  stop(): Promise<void>
}>

/** Connections to the database: ours has what it has by default, floor and peer what serves them best at many clients. */
export const poolSizes = { ours: 16, others: 32 } as const
