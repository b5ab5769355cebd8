import type { Journey } from '../support/journey.js'
import { bulkJourneys } from './bulk.js'
import { cardNumberJourneys } from './card-numbers.js'
import { documentJourneys } from './documents.js'
import { failureJourneys } from './failures.js'
import { idempotencyJourneys } from './idempotency.js'
import { identityJourneys } from './identity.js'
import { isolationJourneys } from './isolation.js'
import { keyJourneys } from './keys.js'
import { listJourneys } from './lists.js'
import { additionJourneys } from './post-import/additions.js'
import { historicalStatementJourneys } from './post-import/historical-statements.js'
import { noteJourneys } from './post-import/notes.js'
import { paymentInstructionJourneys } from './post-import/payment-instructions.js'
import { movedTransactionJourneys } from './post-import/moved-transactions.js'
import { transactionJourneys } from './post-import/transactions.js'
import { refusalJourneys } from './refusals.js'
import { sampleJourneys } from './samples.js'
import { settingsJourneys } from './settings.js'
import { validationJourneys } from './validation.js'

/** The main job over HTTP, through the client, from one list for every backend. */
export const journeys: readonly Journey[] = [
  ...sampleJourneys,
  ...refusalJourneys,
  ...failureJourneys,
  ...validationJourneys,
  ...settingsJourneys,
  ...bulkJourneys,
  ...documentJourneys,
  ...isolationJourneys,
  ...keyJourneys,
  ...idempotencyJourneys,
  ...identityJourneys,
  ...listJourneys,
  ...additionJourneys,
  ...cardNumberJourneys,
  ...noteJourneys,
  ...historicalStatementJourneys,
  ...paymentInstructionJourneys,
  ...transactionJourneys,
  ...movedTransactionJourneys,
]
