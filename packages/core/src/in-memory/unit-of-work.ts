import { E } from '../fp.js'
import { portFailure } from '../ports/port-failure.js'
import type { UnitOfWork } from '../ports/unit-of-work.js'
import { accountImportsWithin } from './account-imports.js'
import {
  accountNotesWithin,
  accountPaymentInstructionsWithin,
  accountStatementsWithin,
  accountsWithin,
  accountTransactionsWithin,
} from './accounts.js'
import { auditTrailWithin } from './audit-trail.js'
import { type AnswerRows, keyedWorkWithin } from './idempotency-records.js'
import type { Memory } from './memory.js'
import { outboxWithin } from './outbox.js'

/** Units of work run one after the other; a Left, or a bug, leaves nothing behind. */
export const inMemoryUnitOfWork = (memory: Memory, answers: AnswerRows): UnitOfWork => ({
  run: (work) => async () => {
    try {
      return await memory.exclusive(
        (tables) =>
          work({
            accountImports: accountImportsWithin(memory, tables),
            accounts: accountsWithin(tables),
            auditTrail: auditTrailWithin(tables),
            keyedWork: keyedWorkWithin(tables, answers),
            outbox: outboxWithin(tables),
            accountNotes: accountNotesWithin(tables),
            accountPaymentInstructions: accountPaymentInstructionsWithin(tables),
            accountStatements: accountStatementsWithin(tables),
            accountTransactions: accountTransactionsWithin(tables),
          })(),
        E.isRight,
      )
    } catch (cause) {
      return E.left(portFailure('unexpected', 'unitOfWork', 'run', cause))
    }
  },
})
