import type { Either } from '../fp.js'
import type { ClaimedEmail } from '../ports/outbox.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { EmailOutcome, EmailUseCases } from '../use-cases/email-signatures.js'
import { answered, type BackgroundObserver } from './observer.js'

/** The e-mails that one relay is delivering now. */
export type Deliveries = Readonly<{
  count(): number
  /** Whether the latest one said that the channel or the store does not work. */
  failing(): boolean
  /** Forgets the fault when no e-mail is left that could try whether it is over. */
  forgetFailure(): void
  begin(claimed: ClaimedEmail): void
  /** Gives an e-mail back that was claimed too late. */
  giveBack(claimed: ClaimedEmail): void
  /** Resolves when one of them has ended; there is at least one. */
  oneEnded(): Promise<void>
  allEnded(): Promise<void>
  /** Ends them all soon. */
  cutOff(): void
}>

const isFailure = (result: Either<PortFailure, EmailOutcome>): boolean =>
  result._tag === 'Left' || (result.right.outcome === 'released' && result.right.code !== undefined)

export const createDeliveries = (emails: EmailUseCases, observer: BackgroundObserver): Deliveries => {
  const running = new Set<Promise<void>>()
  const cutting = new AbortController()
  let failing = false
  const run = (work: ReturnType<EmailUseCases['deliver']>): void => {
    const one: Promise<void> = answered('emails', work).then((result) => {
      running.delete(one)
      if (result._tag === 'Left') observer.onFailure({ chore: 'emails', failure: result.left })
      else observer.onEmail(result.right)
      failing = isFailure(result)
    })
    running.add(one)
  }
  return {
    count: () => running.size,
    failing: () => failing,
    forgetFailure: () => {
      failing = false
    },
    begin: (claimed) => run(emails.deliver(claimed, cutting.signal)),
    giveBack: (claimed) => run(emails.release(claimed)),
    oneEnded: () => Promise.race(running),
    allEnded: async () => {
      await Promise.all(running)
    },
    cutOff: () => cutting.abort(),
  }
}
