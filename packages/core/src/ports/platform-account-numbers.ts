import type { PortResult } from './port-failure.js'

/** Hands out the platform's own account numbers. */
export interface PlatformAccountNumbers {
  /**
   * A number that no account has: 1 to 32 characters of `A-Z 0-9 -`. Numbers of rolled back work may be lost. Databases
   * keep the rows of accounts in the order of their numbers, so numbers that mostly ascend keep large imports quick.
   */
  next(): PortResult<string>
}
