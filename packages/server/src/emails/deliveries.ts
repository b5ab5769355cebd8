import type { ClaimedEmail, EmailOutcome, EmailUseCases, PortFailure } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'

/** What a relay reports: each e-mail that it tried, and failures of the store. */
export type RelayObserver = Readonly<{
  onOutcome(outcome: EmailOutcome): void
  onStoreFailure(failure: PortFailure): void
}>

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

export const createDeliveries = (emails: EmailUseCases, observer: RelayObserver): Deliveries => {
  const running = new Set<Promise<void>>()
  const cutting = new AbortController()
  let failing = false
  const run = (work: ReturnType<EmailUseCases['deliver']>): void => {
    const one: Promise<void> = work().then((result) => {
      running.delete(one)
      if (result._tag === 'Left') observer.onStoreFailure(result.left)
      else observer.onOutcome(result.right)
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
