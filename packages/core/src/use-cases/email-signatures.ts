import type { ClaimedEmail, EmailSettlement } from '../ports/outbox.js'
import type { UseCaseResult } from './use-case-result.js'

/** The outcome of an e-mail that was claimed. `code`: what went wrong, if anything did. */
export type EmailOutcome = Readonly<{
  id: string
  outcome: EmailSettlement['_tag'] | 'lease_lost'
  code: string | undefined
}>

/** The work that a relay repeats: it delivers the e-mails in the outbox. Several relays may run at once. */
export type EmailUseCases = Readonly<{
  /** False where no channel to customers is set up. */
  canSend: boolean
  /** Takes up to `limit` (1 to 100) e-mails that are due. Each is to be delivered or released soon. */
  claimDue(limit: number): UseCaseResult<never, readonly ClaimedEmail[]>
  /** Ends at once when the signal is aborted; then the e-mail is given back. */
  deliver(claimed: ClaimedEmail, signal: AbortSignal): UseCaseResult<never, EmailOutcome>
  release(claimed: ClaimedEmail): UseCaseResult<never, EmailOutcome>
}>
