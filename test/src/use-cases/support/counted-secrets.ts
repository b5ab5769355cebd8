import type { Secrets } from '@account-import/core'
import { createHash } from 'node:crypto'

/** Secrets that are the same in each run, and hashes that no other thread makes. */
export const countedSecrets = (): Secrets => {
  let made = 0
  return {
    generate: () => `${(made += 1)}`.padEnd(43, 's'),
    hash: async (secret) => createHash('sha256').update(secret).digest('hex'),
  }
}
