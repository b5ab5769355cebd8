import { pause } from '../concurrency/pause.js'
import { E } from '../fp.js'
import type { Ports } from '../ports/index.js'
import { chunksOf, replaced } from '../lists/lists.js'
import type { Answered, ProcessAccounts, ToProcess } from './process-accounts.js'

/** The accounts that a store creates in one statement. */
const mostInPage = 64

type LimitPorts = Pick<Ports, 'settings'>

/** The accounts of a bulk request that are processed at one time. */
export const mostAtOnce = ({ settings: { processingConcurrencyLimit = mostInPage } }: LimitPorts): number =>
  Math.min(mostInPage, processingConcurrencyLimit)

const firstMilliseconds = 50
const longestMilliseconds = 1000

/** Waits before the next attempt: exponential backoff up to a second, with jitter. Ends at once when the signal is aborted. */
export const pauseAfter = (attempts: number, signal: AbortSignal | undefined): Promise<void> =>
  pause(Math.min(longestMilliseconds, firstMilliseconds * 2 ** attempts) * (0.5 + Math.random()), signal)

const isOverLimit = <Done extends Answered>(done: Done): done is Done =>
  E.isLeft(done.answer) && done.answer.left._tag === 'ConcurrencyLimitReached'

/** Retries, after a pause, those that the limit refused. */
const processAtOnce = async <Item extends ToProcess>(
  process: ProcessAccounts,
  items: readonly Item[],
  signal: AbortSignal | undefined,
): Promise<readonly (Item & Answered)[]> => {
  let done = await process(items)
  for (let attempts = 0; done.some(isOverLimit); attempts++) {
    await pauseAfter(attempts, signal)
    if (signal?.aborted === true) return done
    done = await replaced(done, isOverLimit, process)
  }
  return done
}

/**
 * Processes accounts, so many at one time as the limit of accounts in processing allows. Requests that the limit refuses, because of
 * other accounts, are tried again; they keep that refusal once the signal is aborted.
 */
export const processWithinLimit = async <Item extends ToProcess>(
  ports: LimitPorts,
  process: ProcessAccounts,
  items: readonly Item[],
  signal: AbortSignal | undefined,
): Promise<readonly (Item & Answered)[]> => {
  const done: (Item & Answered)[] = []
  for (const some of chunksOf(items, mostAtOnce(ports)))
    done.push(...(await processAtOnce(process, some, signal)))
  return done
}
