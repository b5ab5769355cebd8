import * as registers from '../migrations/0001-registers.js'
import * as accountImports from '../migrations/0002-account-imports.js'
import * as accounts from '../migrations/0003-accounts.js'
import * as postImport from '../migrations/0004-post-import.js'
import * as outbox from '../migrations/0005-outbox.js'
import * as transactions from '../migrations/0006-transactions.js'
import * as stagedAndSummary from '../migrations/0007-staged-and-summary.js'
import * as payloadsInImports from '../migrations/0008-payloads-in-imports.js'
import * as keptAnswers from '../migrations/0009-kept-answers.js'
import * as rateLimits from '../migrations/0010-rate-limits.js'
import * as refreshTokenFamilies from '../migrations/0011-refresh-token-families.js'
import * as apiKeyNames from '../migrations/0012-api-key-names.js'
import * as audit from '../migrations/0013-audit.js'
import * as identity from '../migrations/0014-identity.js'
import * as personalData from '../migrations/0015-personal-data.js'
import * as encryption from '../migrations/0016-encryption.js'
import * as doneRequests from '../migrations/0017-done-requests.js'
import * as additions from '../migrations/0018-additions.js'
import type { Step } from '../migrations/schema-dialect.js'

export type Migration = Readonly<{ name: string; up: Step }>

/**
 * All migrations, oldest first. A released one stays as it is; a change is a new step at the end. None is ever undone: a restore
 * is from a backup.
 */
export const migrations: readonly Migration[] = [
  { name: '0001-registers', ...registers },
  { name: '0002-account-imports', ...accountImports },
  { name: '0003-accounts', ...accounts },
  { name: '0004-post-import', ...postImport },
  { name: '0005-outbox', ...outbox },
  { name: '0006-transactions', ...transactions },
  { name: '0007-staged-and-summary', ...stagedAndSummary },
  { name: '0008-payloads-in-imports', ...payloadsInImports },
  { name: '0009-kept-answers', ...keptAnswers },
  { name: '0010-rate-limits', ...rateLimits },
  { name: '0011-refresh-token-families', ...refreshTokenFamilies },
  { name: '0012-api-key-names', ...apiKeyNames },
  { name: '0013-audit', ...audit },
  { name: '0014-identity', ...identity },
  { name: '0015-personal-data', ...personalData },
  { name: '0016-encryption', ...encryption },
  { name: '0017-done-requests', ...doneRequests },
  { name: '0018-additions', ...additions },
]

/** The names of all migrations, oldest first. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name)
