import type { OutputPaths } from '../account-files/output/outputs.js'

/** What is done to each account. */
export const steps = ['validate', 'stage', 'process'] as const
export type Step = (typeof steps)[number]

/** Which accounts to bring to which service, how far, and what to write about it. */
export type ImportJob = Readonly<{
  /** Path of the file, `-` for standard input. */
  file: string
  url: string
  /** The team that accounts are created under; only staging and validating need none. */
  team: string | undefined
  /** That step alone; staging and then processing when left out. */
  only: Step | undefined
  /** Nothing is staged or created: accounts are validated, and processed on trial where they are staged. */
  dryRun: boolean
  /** The most requests in flight, from 1. */
  concurrency: number
  outputs: OutputPaths
}>

/** Longer than a server that died holds its claims, which is a minute unless it is configured otherwise. */
export const defaultRetrySeconds = 90

/** The requests for each account: what it is sent to first, and whether it is then created. */
export type Plan = Readonly<{
  send: 'validate' | 'stage' | undefined
  process: 'create' | 'try' | undefined
}>

/** Staging validates by itself, so nothing is validated twice. */
export const planOf = ({ only, dryRun }: Pick<ImportJob, 'only' | 'dryRun'>): Plan => {
  const sends = only === 'process' ? undefined : only === 'validate' || dryRun ? 'validate' : 'stage'
  const processes = only === 'validate' || only === 'stage' ? undefined : dryRun ? 'try' : 'create'
  return { send: sends, process: processes }
}
