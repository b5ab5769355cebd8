import type { Environment } from '../config/variable.js'

/** What the command line works with, so that it can run inside another program too. */
export type CliIo = Readonly<{
  environment: Environment
  /** Results, and nothing else. */
  out(text: string): void
  /** Help after wrong usage, progress and refusals. */
  err(text: string): void
}>
