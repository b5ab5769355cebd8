import { pauseAfter } from './pause.js'
import { eachOnce, processAll, type ProcessResult, type ProcessRun } from './process-all.js'

/** More than a server that died can have left behind. What one that lives has claimed, it also ends. */
const mostRemembered = 10_000

const isElsewhere = ({ outcome }: ProcessResult): boolean =>
  outcome._tag === 'Left' && outcome.left._tag === 'AccountProcessedElsewhere'

/**
 * All staged accounts; then again those that somebody else was processing, after a pause, until they are settled or their
 * claims have expired: a server that died leaves claims, and what it had claimed belongs to this run too.
 */
export async function* processStaged(
  run: ProcessRun,
  staged: AsyncIterable<string>,
  claimSeconds: number,
): AsyncGenerator<readonly ProcessResult[]> {
  let numbers = staged
  // A pause is half a second or more after the first few, so this is longer than a claim that nobody ends.
  for (let round = 0; round < 2 * claimSeconds + 10; round++) {
    const elsewhere: string[] = []
    for await (const page of processAll(run, numbers)) {
      for (const result of page)
        if (isElsewhere(result) && elsewhere.length < mostRemembered)
          elsewhere.push(result.externalAccountNumber)
      yield page
    }
    if (elsewhere.length === 0) break
    await pauseAfter(round, run.submission.signal)
    numbers = eachOnce(elsewhere)
  }
}
