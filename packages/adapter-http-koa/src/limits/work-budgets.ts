import { E, type Either } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'
import { goneSignal, whenClosed } from '../client-gone.js'
import type { AppContext } from '../context.js'
import { BudgetSpent, ByteBudget, type Held } from './byte-budget.js'

/** Bodies of at least this size are parsed and validated in another thread, where there is one. */
export const longBodyBytes = 131_072

/** Times its length that a JSON text may take in memory once it is parsed; `[{},{},…]` takes that much. */
const parsedTimes = 40

/** Times its length that a longer text takes here: its bytes, and the copies on the way to the other thread. */
const carriedTimes = 8

/** Memory that working on a body of so many bytes may take in this thread, at worst. */
export const memoryOf = (bytes: number): number =>
  Math.min(bytes, longBodyBytes) * parsedTimes + Math.max(0, bytes - longBodyBytes) * carriedTimes

/** A body waits for so long until there is room for it. */
const patienceMilliseconds = 5000

const mib = 1_048_576

/**
 * Bounds what bodies take of the memory of a process. `reading`: bytes of long bodies and lines that are coming; `working`: memory
 * of those that are worked on. Bytes are read before they are worked on and never the other way round, so nobody waits for ever.
 */
export type WorkBudgets = Readonly<{ reading: ByteBudget; working: ByteBudget }>

export const createWorkBudgets = (): WorkBudgets => ({
  reading: new ByteBudget({ key: 12 * mib, all: 48 * mib }),
  working: new ByteBudget({ key: 96 * mib, all: 240 * mib }),
})

const refusalOf = ({ by }: BudgetSpent): TransportRefusal =>
  by === 'key' ? { _tag: 'Throttled', retryAfterSeconds: 2 } : { _tag: 'ServiceBusy', retryAfterSeconds: 2 }

/** Takes bytes for a request. A request that waits too long is refused; rejects only when the client goes away. */
export const reserve = async (
  ctx: AppContext,
  budget: ByteBudget,
  key: string,
  bytes: number,
): Promise<Either<TransportRefusal, Held>> => {
  try {
    const held = budget.take(key, bytes, patienceMilliseconds, () => goneSignal(ctx.res))
    return E.right(held instanceof Promise ? await held : held)
  } catch (cause) {
    if (cause instanceof BudgetSpent) return E.left(refusalOf(cause))
    throw cause
  }
}

/** Gives the bytes back when the answer has ended, or its client has gone. */
export const holdUntilClosed = ({ res }: AppContext, { release }: Held): void => whenClosed(res, release)
