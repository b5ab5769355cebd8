import type { Instant } from '../values/instant.js'
import type { AccountDetails } from './account-details.js'
import type { AccountKey } from './account-key.js'

/** An account as it exists on the platform. */
export type Account = Readonly<{
  key: AccountKey
  platformAccountNumber: string
  operationsTeam: string
  /** The version of the staged data that it was created from. */
  stagedVersion: number
  createdAt: Instant
  details: AccountDetails
}>
