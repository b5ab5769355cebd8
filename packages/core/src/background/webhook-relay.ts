import { pause } from '../concurrency/pause.js'
import { E, type Either } from '../fp.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { EmailOutcome } from '../use-cases/emails.js'
import type { WebhookOutcome, WebhookUseCases } from '../use-cases/webhooks.js'

/** A job that is done beside requests, again and again. */
export type Chore =
  | 'api_key_uses'
  | 'audit'
  | 'emails'
  | 'idempotency_records'
  | 'rate_limits'
  | 'staged_data'
  | 'webhooks'

/** A run that failed. The chore is tried again later. */
export type ChoreFailure = Readonly<{ chore: Chore; failure: PortFailure }>

/** Functions that are told of the background work. */
export type BackgroundObserver = Readonly<{
  onFailure(failed: ChoreFailure): void
  onEmail(outcome: EmailOutcome): void
  onStagedDataRemoved(accounts: number): void
  onWebhook(outcome: WebhookOutcome): void
}>

/** Names alone: the cause may hold SQL, and an embedding program that wants it takes `onFailure`. */
const onConsole = ({ chore, failure: { kind, port, operation } }: ChoreFailure): void =>
  // oxlint-disable-next-line no-restricted-globals -- a failure that nobody asked to be told of must not be lost
  console.error(
    JSON.stringify({
      time: new Date().toISOString(),
      event: 'background_work',
      chore,
      kind,
      port,
      operation,
    }),
  )

const bug = (chore: Chore, operation: string, cause: unknown): ChoreFailure => ({
  chore,
  failure: { _tag: 'PortFailure', kind: 'unexpected', port: 'backgroundWork', operation, cause },
})

/** The functions that were given, and stderr for failures that none takes. One that throws ends no chore: that is told too. */
export const observerOf = ({
  onFailure = onConsole,
  onEmail,
  onStagedDataRemoved,
  onWebhook,
}: Partial<BackgroundObserver>): BackgroundObserver => {
  const fail = (failed: ChoreFailure): void => {
    try {
      onFailure(failed)
    } catch (cause) {
      onConsole(failed)
      onConsole(bug(failed.chore, 'onFailure', cause))
    }
  }
  const safely =
    <A>(chore: Chore, operation: string, tell?: (what: A) => void) =>
    (what: A): void => {
      try {
        tell?.(what)
      } catch (cause) {
        fail(bug(chore, operation, cause))
      }
    }
  return {
    onFailure: fail,
    onEmail: safely('emails', 'onEmail', onEmail),
    onStagedDataRemoved: safely('staged_data', 'onStagedDataRemoved', onStagedDataRemoved),
    onWebhook: safely('webhooks', 'onWebhook', onWebhook),
  }
}

/** The answer of a port; of one that throws against its word, the failure that it should have given. */
export const answered = async <A>(
  chore: Chore,
  ask: () => Promise<A>,
): Promise<A | Readonly<{ _tag: 'Left'; left: PortFailure }>> => {
  try {
    return await ask()
  } catch (cause) {
    return { _tag: 'Left', left: bug(chore, 'run', cause).failure }
  }
}

/** Runs that stand still, and webhooks that are begun, of one look. */
const most = 100
/** Webhooks of one look with those that messages are being sent to. */
const mostDue = 1000

/**
 * Tells of runs that stand still, and sends what is due to webhooks until it is stopped: to each webhook one message after the
 * other, so that a slow receiver keeps no other waiting. Any number of relays, in any number of processes, share the work.
 */
export const startWebhookRelay = (
  webhooks: WebhookUseCases,
  everyMilliseconds: number,
  observer: BackgroundObserver,
) => {
  const stopping = new AbortController()
  const cutting = new AbortController()
  const running = new Map<string, Promise<void>>()

  const take = <A>(result: Either<PortFailure, A>, tell: (value: A) => void): void => {
    if (E.isLeft(result)) observer.onFailure({ chore: 'webhooks', failure: result.left })
    else tell(result.right)
  }

  const deliver = async (webhook: string): Promise<Either<PortFailure, void>> => {
    const outcomes = await webhooks.deliver(webhook, cutting.signal)()
    if (E.isLeft(outcomes)) return outcomes
    for await (const outcome of outcomes.right) {
      take(outcome, observer.onWebhook)
      if (stopping.signal.aborted) break
    }
    return E.right(undefined)
  }

  const begin = (webhook: string): void => {
    if (running.has(webhook)) return
    const one = answered('webhooks', () => deliver(webhook)).then((result) => {
      take(result, () => undefined)
      running.delete(webhook)
    })
    running.set(webhook, one)
  }

  /** Gives milliseconds until the next look. */
  const look = async (): Promise<number> => {
    const noted = await answered('webhooks', webhooks.noteStandstills(most))
    take(noted, () => undefined)
    // Those being sent to stay due. If they alone were found, they would keep all others waiting.
    const due = await answered('webhooks', webhooks.due(Math.min(mostDue, most + running.size)))
    take(due, (ids) => {
      if (!stopping.signal.aborted) ids.forEach(begin)
    })
    // Never the same for two servers that were started together, and longer where the store does not work.
    const pauses = E.isLeft(noted) || E.isLeft(due) ? 4 : 1
    return everyMilliseconds * pauses * (0.5 + Math.random())
  }

  const ended = (async () => {
    await pause(everyMilliseconds * Math.random(), stopping.signal)
    while (!stopping.signal.aborted) await pause(await look(), stopping.signal)
  })()

  return {
    /** Begins no message any more; what is being sent is cut off after so many milliseconds. Resolves when nothing goes on. */
    stop: async (milliseconds: number): Promise<void> => {
      stopping.abort()
      const done = new AbortController()
      void pause(milliseconds, done.signal).then(() => cutting.abort())
      await ended
      await Promise.all(running.values())
      done.abort()
    },
  }
}
