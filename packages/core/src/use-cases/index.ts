import { type Actor, unnamedActor } from '../domain/audit-entry.js'
import type { Ports } from '../ports/index.js'
import { KeyUses, rememberedAccessTokens, shortlyRemembered } from '../provided/remembered.js'
import { accountImportsPage, allAccountImports } from './account-import-lists.js'
import { accountImportSummary } from './account-import-summary.js'
import { answerOnce, forgetAnswers } from './answer-once.js'
import { makeAuditUseCases } from './audit/index.js'
import { authenticate, noteKeyUses, reauthenticate } from './authentication/authenticate.js'
import { obtainToken } from './authentication/obtain-token.js'
import { bulkProcess } from './bulk/bulk-process.js'
import { bulkStage, bulkValidate } from './bulk/bulk-submissions.js'
import { makeEmailUseCases } from './emails/index.js'
import { makeOperatorUseCases } from './operator/index.js'
import { recorded, recordedOperator } from './operator/recorded.js'
import { addHistoricalStatements } from './post-import/add-historical-statements.js'
import { addNotes } from './post-import/add-notes.js'
import { addPaymentInstruction } from './post-import/add-payment-instruction.js'
import { addTransactions } from './post-import/add-transactions.js'
import { processAccount } from './processing/process-account.js'
import { removeDuePayloads } from './remove-due-payloads.js'
import type { UseCases } from './signatures.js'
import { stageAccount, staging } from './stage-account.js'
import { transferStatus } from './transfer-status.js'
import { validateAccount } from './validate-account.js'

/** What is done with one account, and with many of them in the same way. */
const accountUseCases = (ports: Ports) => {
  const stagings = staging(ports)
  const single = {
    validateAccount: validateAccount(ports),
    stageAccount: stageAccount(stagings),
    processAccount: processAccount(ports),
  }
  return {
    ...single,
    bulkValidate: bulkValidate(single),
    bulkStage: bulkStage(stagings),
    bulkProcess: bulkProcess(ports, single),
  }
}

/** Who may come in, and who still may. */
const identityUseCases = (ports: Ports) => {
  const keyUses = new KeyUses()
  const standing = {
    clock: ports.clock,
    apiKeys: { find: shortlyRemembered((id) => ports.apiKeys.find(id), ports.clock) },
    refreshTokens: { hasEnded: shortlyRemembered((hash) => ports.refreshTokens.hasEnded(hash), ports.clock) },
  }
  return {
    obtainToken: obtainToken({ ...ports, keyUses }),
    authenticate: authenticate({
      ...standing,
      accessTokens: rememberedAccessTokens(ports.accessTokens),
      keyUses,
    }),
    reauthenticate: reauthenticate(standing),
    noteKeyUses: noteKeyUses({ apiKeys: ports.apiKeys, keyUses }),
  }
}

/** Everything the service does, on the given ports. `operator`: whom the record names where the operator's use cases are used. */
export const makeUseCases = (ports: Ports, operator: Actor = unnamedActor): UseCases => ({
  ...accountUseCases(ports),
  addNotes: addNotes(ports),
  addHistoricalStatements: addHistoricalStatements(ports),
  addPaymentInstruction: addPaymentInstruction(ports),
  addTransactions: addTransactions(ports),
  transferStatus: transferStatus(ports),
  accountImportsPage: accountImportsPage(ports),
  accountImportSummary: accountImportSummary(ports),
  allAccountImports: allAccountImports(ports),
  answerOnce: answerOnce(ports),
  forgetAnswers: forgetAnswers(ports),
  removeDuePayloads: removeDuePayloads(ports),
  ...identityUseCases(ports),
  emails: makeEmailUseCases(ports),
  audit: {
    ...makeAuditUseCases(ports),
    recorded: (name, work) => recorded(ports, operator, name, () => work)(),
  },
  operator: recordedOperator(ports, operator, makeOperatorUseCases(ports, operator)),
})
