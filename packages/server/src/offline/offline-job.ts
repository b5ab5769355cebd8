import type { CheckContext } from '@account-import/core/adapter-kit'
import type { Wants } from '../account-files/batch.js'
import type { OutputPaths } from '../account-files/output/outputs.js'

/** What a worker is started with. */
export type CheckSetup = Readonly<{ context: CheckContext; wants: Wants }>

/** What to check, by what, and what to write. */
export type OfflineJob = Readonly<{
  /** Path of the file, `-` for standard input. */
  file: string
  outputs: OutputPaths
  context: CheckContext
  /** Threads that check, from 1. */
  workers: number
}>
