import type { Ports } from '../ports/index.js'
import { cachedApiKeys } from '../provided/cached-api-keys.js'
import { rememberedAccessTokens } from '../provided/remembered-access-tokens.js'
import { accountImportsPage, allAccountImports } from './account-import-lists.js'
import { authenticate } from './authentication/authenticate.js'
import { obtainToken } from './authentication/obtain-token.js'
import { makeOperatorUseCases } from './operator/index.js'
import { processAccount } from './processing/process-account.js'
import type { UseCases } from './signatures.js'
import { stageAccount } from './stage-account.js'
import { transferStatus } from './transfer-status.js'
import { validateAccount } from './validate-account.js'

/** Everything the service does, on the given ports. */
export const makeUseCases = (ports: Ports): UseCases => ({
  validateAccount: validateAccount(ports),
  stageAccount: stageAccount(ports),
  processAccount: processAccount(ports),
  transferStatus: transferStatus(ports),
  accountImportsPage: accountImportsPage(ports),
  allAccountImports: allAccountImports(ports),
  obtainToken: obtainToken(ports),
  authenticate: authenticate({
    clock: ports.clock,
    accessTokens: rememberedAccessTokens(ports.accessTokens),
    apiKeys: cachedApiKeys(ports.apiKeys, ports.clock),
  }),
  operator: makeOperatorUseCases(ports),
})
