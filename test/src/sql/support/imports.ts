import {
  instantOf,
  type AccountKey,
  type ClaimRequest,
  type Creation,
  type Instant,
  type Staging,
} from '@account-import/core'
import { plusSeconds } from '@account-import/core/testing'
import { randomUUID } from 'node:crypto'

export const now = (): Instant => instantOf(Date.now())

export const keyOf = (externalAccountNumber: string, importSupplier = 'LEVANTE'): AccountKey => ({
  organisation: 'ACME',
  importSupplier,
  externalAccountNumber,
})

export const stagingOf = (externalAccountNumber: string, payload = '{}', at = now()): Staging => ({
  key: keyOf(externalAccountNumber),
  payload,
  at,
  validatedUnder: 'rules 1',
})

/** A creation from data of `stagingOf`, by its rules. */
export const creationOf = (
  externalAccountNumber: string,
  platformAccountNumber = `P-${externalAccountNumber}`,
  change: Partial<Creation> = {},
): Creation => ({
  key: keyOf(externalAccountNumber),
  platformAccountNumber,
  operationsTeam: 'Team',
  at: now(),
  validatedUnder: 'rules 1',
  ...change,
})

/** A claim of a minute with a token of its own. */
export const claimOf = (externalAccountNumber: string, change: Partial<ClaimRequest> = {}): ClaimRequest => {
  const at = now()
  return {
    key: keyOf(externalAccountNumber),
    token: randomUUID(),
    at,
    expiresAt: plusSeconds(at, 60),
    countsAsAttempt: true,
    ...change,
  }
}
