import { about, pause } from '../concurrency/pause.js'
import { E, type Either } from '../fp.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { EmailOutcome } from '../operating/emails.js'
import type { WebhookOutcome, WebhookUseCases } from '../operating/webhooks.js'

/** A repeated job of the background work. */
export type Chore = 'api_key_uses' | 'audit' | 'emails' | 'idempotency_records' | 'staged_data' | 'webhooks'

/** A failed run of a chore, which is tried again later. */
export type ChoreFailure = Readonly<{ chore: Chore; failure: PortFailure }>

/** Callbacks of the background work. */
export type BackgroundObserver = Readonly<{
  onFailure(failed: ChoreFailure): void
  onEmail(outcome: EmailOutcome): void
  onStagedDataRemoved(accounts: number): void
  onWebhook(outcome: WebhookOutcome): void
}>

/** Prints names alone: the cause may contain SQL, and an embedding program gets it by `onFailure`. */
const onConsole = ({ chore, failure: { kind, port, operation } }: ChoreFailure): void =>
  // oxlint-disable-next-line no-restricted-globals -- a failure without a callback must not be lost
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

/** The given callbacks, and stderr for failures without one. A callback that throws ends no chore, and is reported too. */
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
    <A>(chore: Chore, operation: string, callback?: (what: A) => void) =>
    (what: A): void => {
      try {
        callback?.(what)
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

/** The answer of a port; for a port that throws against its contract, a failure. */
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

/** Standstills that one check notes, and webhooks that it begins. */
const most = 100
/** Webhooks that one check reads, including those to which messages are being sent. */
const mostDue = 1000

/**
 * Makes events of standstills, and sends due deliveries to webhooks until it is stopped: to each webhook one message after the
 * other, to several webhooks concurrently, so that a slow receiver delays no other. Any number of relays, in any number of
 * processes, share the work.
 */
export const startWebhookRelay = (
  webhooks: WebhookUseCases,
  everyMilliseconds: number,
  observer: BackgroundObserver,
) => {
  const stopping = new AbortController()
  const cutting = new AbortController()
  const running = new Map<string, Promise<void>>()

  const take = <A>(result: Either<PortFailure, A>, use: (value: A) => void): void => {
    if (E.isLeft(result)) observer.onFailure({ chore: 'webhooks', failure: result.left })
    else use(result.right)
  }

  const deliver = async (webhook: string): Promise<Either<PortFailure, void>> => {
    const outcomes = await webhooks.deliver(webhook, cutting.signal)
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

  /** Returns milliseconds until the next check. */
  const check = async (): Promise<number> => {
    const noted = await answered('webhooks', () => webhooks.noteStandstills(most))
    take(noted, () => undefined)
    // Webhooks with a running delivery are still due. They are added to the limit, so that they do not hide others.
    const due = await answered('webhooks', () => webhooks.due(Math.min(mostDue, most + running.size)))
    take(due, (ids) => {
      if (!stopping.signal.aborted) ids.forEach(begin)
    })
    // Longer if the store does not work.
    return about(everyMilliseconds * (E.isLeft(noted) || E.isLeft(due) ? 4 : 1))
  }

  const ended = (async () => {
    await pause(everyMilliseconds * Math.random(), stopping.signal)
    while (!stopping.signal.aborted) await pause(await check(), stopping.signal)
  })()

  return {
    /** Begins no more messages, and aborts present ones after so many milliseconds. Resolves when all have ended. */
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
