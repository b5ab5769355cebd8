import { pause } from '../../concurrency/pause.js'
import type { InRun } from '../../domain/import-run.js'
import type { Ports } from '../../ports/index.js'
import type { Submission } from '../check-payload.js'
import type { ProcessAnswer } from './accept-requests.js'
import type { ProcessAccounts } from './process-accounts.js'

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

const isOverLimit = (answer: ProcessAnswer | undefined): boolean =>
  answer?._tag === 'Left' && answer.left._tag === 'ConcurrencyLimitReached'

/** Retries, after a pause, those that the limit refused. */
const processAtOnce = async (
  process: ProcessAccounts,
  requests: readonly (Submission & InRun)[],
  signal: AbortSignal | undefined,
): Promise<readonly ProcessAnswer[]> => {
  const answers = [...(await process(requests))]
  for (let attempts = 0; ; attempts++) {
    const refused = [...answers.keys()].filter((index) => isOverLimit(answers[index]))
    if (refused.length === 0) return answers
    await pauseAfter(attempts, signal)
    if (signal?.aborted === true) return answers
    const again = await process(refused.map((index) => requests[index] as Submission & InRun))
    refused.forEach((index, place) => {
      answers[index] = again[place] as ProcessAnswer
    })
  }
}

/**
 * The answers to the requests, which are processed so many at one time as the limit of accounts in processing allows. Requests that
 * the limit refuses, because of other accounts, are tried again; they keep that refusal once the signal is aborted.
 */
export const processWithinLimit = async (
  ports: LimitPorts,
  process: ProcessAccounts,
  requests: readonly (Submission & InRun)[],
  signal: AbortSignal | undefined,
): Promise<readonly ProcessAnswer[]> => {
  const answers: ProcessAnswer[] = []
  for (let from = 0; from < requests.length; from += mostAtOnce(ports))
    answers.push(...(await processAtOnce(process, requests.slice(from, from + mostAtOnce(ports)), signal)))
  return answers
}
