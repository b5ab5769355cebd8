import { generateAccounts } from '@account-import/example-generate-accounts'
import { sample } from './support.js'

/** Accounts as JSON text, valid, warned and wrong: the samples and some that are generated. */
export const originals: readonly string[] = [
  ...['gas-account.json', 'electricity-account.json', 'invalid-account.json'].map((name) =>
    JSON.stringify(sample(name)),
  ),
  ...[...generateAccounts({ count: 60, invalidShare: 0.25, warningShare: 0.25 })].map(({ payload }) =>
    JSON.stringify(payload),
  ),
]
