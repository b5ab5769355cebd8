import type { PortFailure } from '../ports/port-failure.js'
import type { EmailOutcome } from '../use-cases/emails.js'
import type { WebhookOutcome } from '../use-cases/webhooks.js'

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
