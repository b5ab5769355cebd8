import type { Facts } from '../request.js'

/** A service that is asked. */
export type Service = Readonly<{
  port: number
  facts: Facts
  /** Why it does not run any more; undefined while it does. */
  ended(): string | undefined
  /** Everything that it has logged, whole once it is closed. */
  log(): string
  close(): Promise<void>
}>
