import type { Either } from '../fp.js'
import type { ClaimedEmail } from '../ports/outbox.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { EmailOutcome, EmailUseCases } from '../use-cases/emails.js'
import { answered, type BackgroundObserver } from './observer.js'
import { growingPause, pause } from '../concurrency/pause.js'

/** The e-mails that one relay is delivering now. */
type Deliveries = Readonly<{
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

const createDeliveries = (emails: EmailUseCases, observer: BackgroundObserver): Deliveries => {
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

type EmailRelay = Readonly<{
  /**
   * Claims nothing more, and lets what is being sent end; after so many milliseconds it is cut off and given back.
   * Resolves when nothing goes on any more.
   */
  stop(milliseconds: number): Promise<void>
}>

/** When nothing is due: milliseconds until it looks again, growing from the least to the most. */
const idlePauses = { least: 250, most: 2000 }
/** When the channel or the store does not work: milliseconds until one e-mail tries it, from the least to the most. */
const failurePauses = { least: 1000, most: 60_000 }

type Claim = (limit: number) => Promise<'some' | 'none' | 'failed'>

/** Claims e-mails and begins to deliver them; those that arrive after the relay was stopped are given back. */
const claimer =
  (
    emails: EmailUseCases,
    deliveries: Deliveries,
    observer: BackgroundObserver,
    stopping: AbortSignal,
  ): Claim =>
  async (limit) => {
    const claimed = await answered('emails', emails.claimDue(limit))
    if (claimed._tag === 'Left') {
      observer.onFailure({ chore: 'emails', failure: claimed.left })
      return 'failed'
    }
    claimed.right.forEach(stopping.aborted ? deliveries.giveBack : deliveries.begin)
    return claimed.right.length > 0 ? 'some' : 'none'
  }

/** Works at full width until something does not work; then one e-mail at a time finds out whether it does again. */
const relay = async (
  claim: Claim,
  deliveries: Deliveries,
  concurrency: number,
  stopping: AbortSignal,
): Promise<void> => {
  const idle = growingPause(idlePauses.least, idlePauses.most)
  const afterFailure = growingPause(failurePauses.least, failurePauses.most)
  let storeFails = false
  while (!stopping.aborted) {
    const cautious = storeFails || deliveries.failing()
    if (cautious) {
      await deliveries.allEnded()
      await pause(afterFailure.next(), stopping)
      if (stopping.aborted) return
    } else if (deliveries.count() >= concurrency) {
      await deliveries.oneEnded()
      continue
    }
    const outcome = await claim(cautious ? 1 : concurrency - deliveries.count())
    storeFails = outcome === 'failed'
    if (cautious) await deliveries.allEnded()
    if (outcome === 'none') {
      deliveries.forgetFailure()
      await pause(idle.next(), stopping)
    } else idle.reset()
    if (!storeFails && !deliveries.failing()) afterFailure.reset()
  }
}

/**
 * Delivers what is due in the outbox until it is stopped, `concurrency` e-mails at a time. Any number of relays, in any
 * number of processes, share one outbox.
 */
export const startEmailRelay = (
  emails: EmailUseCases,
  concurrency: number,
  observer: BackgroundObserver,
): EmailRelay => {
  const stopping = new AbortController()
  const deliveries = createDeliveries(emails, observer)
  const claim = claimer(emails, deliveries, observer, stopping.signal)
  const ended = relay(claim, deliveries, concurrency, stopping.signal)
  return {
    stop: async (milliseconds) => {
      stopping.abort()
      const done = new AbortController()
      void pause(milliseconds, done.signal).then(deliveries.cutOff)
      await ended
      await deliveries.allEnded()
      done.abort()
    },
  }
}
