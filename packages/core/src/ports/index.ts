import type { AccessTokens } from './access-tokens.js'
import type { AccountImports } from './account-imports.js'
import type { Accounts } from './accounts.js'
import type { ApiKeys } from './api-keys.js'
import type { Clock } from './clock.js'
import type { Documents } from './documents.js'
import type { FailedAttempts } from './failed-attempts.js'
import type { ImportSuppliers } from './import-suppliers.js'
import type { OperationsTeams } from './operations-teams.js'
import type { Organisations } from './organisations.js'
import type { PlatformAccountNumbers } from './platform-account-numbers.js'
import type { RefreshTokens } from './refresh-tokens.js'
import type { Secrets } from './secrets.js'
import type { ServiceSettings } from './settings.js'
import type { UnitOfWork } from './unit-of-work.js'

/** What the data is kept in: the part that a database adapter brings. */
export type StorePorts = Readonly<{
  accountImports: AccountImports
  accounts: Accounts
  apiKeys: ApiKeys
  importSuppliers: ImportSuppliers
  operationsTeams: OperationsTeams
  organisations: Organisations
  refreshTokens: RefreshTokens
  unitOfWork: UnitOfWork
}>

/** Everything the use cases need. */
export type Ports = StorePorts &
  Readonly<{
    accessTokens: AccessTokens
    clock: Clock
    documents: Documents
    failedAttempts: FailedAttempts
    platformAccountNumbers: PlatformAccountNumbers
    secrets: Secrets
    settings: ServiceSettings
  }>
