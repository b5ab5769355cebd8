import { pipe, TE } from '../fp.js'
import type { Clock } from '../ports/clock.js'
import type { PortResult } from '../ports/port-failure.js'
import { plusSeconds, type Instant } from '../values/instant.js'

const lifetimeSeconds = 30
const mostEntries = 10_000

/**
 * Answers as they were at most 30 seconds ago, so that checking a token seldom asks a store. A revocation is seen within these
 * 30 seconds; clients are promised 60. When the store cannot be asked after that, nobody is let in. `undefined` is not
 * remembered.
 */
export const shortlyRemembered = <A>(
  ask: (key: string) => PortResult<A>,
  clock: Clock,
): ((key: string) => PortResult<A>) => {
  const entries = new Map<string, Readonly<{ answer: A; until: Instant }>>()

  const remember = (key: string, answer: A, until: Instant): void => {
    if (answer === undefined) return
    entries.delete(key)
    entries.set(key, { answer, until })
    if (entries.size <= mostEntries) return
    const [oldest] = entries.keys()
    if (oldest !== undefined) entries.delete(oldest)
  }

  return (key) => {
    const now = clock.now()
    const known = entries.get(key)
    if (known !== undefined && known.until > now) return TE.right(known.answer)
    // From before the store was asked: however long it takes, its answer is no younger than that.
    const until = plusSeconds(now, lifetimeSeconds)
    return pipe(
      ask(key),
      TE.tapIO((answer) => () => remember(key, answer, until)),
    )
  }
}
