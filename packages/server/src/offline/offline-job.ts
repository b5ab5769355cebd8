import type { CheckContext } from '@account-import/core/adapter-kit'
import type { Wants } from '../account-files/batch.js'
import type { OutputPaths } from '../account-files/output/outputs.js'

/** The input of a worker. */
export type CheckSetup = Readonly<{ context: CheckContext; wants: Wants }>

/** The files, the settings and the outputs of a check. */
export type OfflineJob = Readonly<{
  /** Path of the file, `-` for standard input. */
  file: string
  outputs: OutputPaths
  context: CheckContext
  /** Threads that check, from 1. */
  workers: number
}>
