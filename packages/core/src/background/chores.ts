import { E, type Either } from '../fp.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import type { AuditUseCases } from '../use-cases/audit-signatures.js'
import type { UseCases } from '../use-cases/signatures.js'

/** One chore: milliseconds before its first run, one run of it, which gives milliseconds until the next, and those after a failure. */
export type Run = Readonly<{
  first: number
  once: () => Promise<Either<PortFailure, number>>
  afterFailure: number
}>

/** Never the same for two servers that were started together. */
const about = (milliseconds: number): number => milliseconds * (0.5 + Math.random())

/** How much is removed at one time, and how long others have the database to themselves after it. */
const removal = { batch: 500, restMilliseconds: 50 }

/** Removes what has expired, a bounded number at a time. */
export const forgetting = (
  forget: (limit: number) => PortResult<number>,
  everyMilliseconds: number,
  onForgotten: (count: number) => void = () => undefined,
): Run => ({
  first: about(everyMilliseconds),
  once: async () => {
    const forgotten = await forget(removal.batch)()
    if (forgotten._tag === 'Left') return forgotten
    if (forgotten.right > 0) onForgotten(forgotten.right)
    return E.right(
      forgotten.right < removal.batch
        ? about(everyMilliseconds)
        : Math.min(removal.restMilliseconds, everyMilliseconds),
    )
  },
  afterFailure: about(everyMilliseconds),
})

export const notingKeyUses = (noteKeyUses: UseCases['noteKeyUses'], everyMilliseconds: number): Run => ({
  first: about(everyMilliseconds),
  once: async () => {
    const noted = await noteKeyUses()()
    return noted._tag === 'Left' ? noted : E.right(about(everyMilliseconds))
  },
  afterFailure: about(everyMilliseconds),
})

/** How much is sealed at one time, and how long others have the database to themselves after it. */
const sealed = { batch: 250, restMilliseconds: 20 }

/** Seals what was recorded. A server that finds another one at it leaves it alone for four times as long. */
export const sealing = ({ seal }: Pick<AuditUseCases, 'seal'>, idleMilliseconds: number): Run => ({
  first: idleMilliseconds * Math.random(),
  once: async () => {
    const sealing = await seal(sealed.batch)()
    if (sealing._tag === 'Left') return sealing
    if (sealing.right._tag === 'elsewhere') return E.right(about(4 * idleMilliseconds))
    return E.right(sealing.right.more ? sealed.restMilliseconds : about(idleMilliseconds))
  },
  afterFailure: 4 * idleMilliseconds,
})
