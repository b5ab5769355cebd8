import type { FailedAttempts } from '../ports/failed-attempts.js'
import { after, freshCode } from './builders.js'
import { equal, right, type ContractCase } from './contract-case.js'

/** Every counter of failed attempts. */
export const failedAttemptCases: readonly ContractCase<FailedAttempts>[] = [
  {
    port: 'FailedAttempts',
    title: 'attempts of a subject are counted for 60 seconds, apart from those of others',
    run: async (attempts) => {
      const subject = freshCode('subject')
      equal(await right(attempts.recent(subject, after(0))), 0)
      const counts = await Promise.all(
        [0, 10, 20].map((second) => right(attempts.record(subject, after(second)))),
      )
      equal(counts, [1, 2, 3])
      await right(attempts.record(freshCode('other'), after(20)))
      equal(await right(attempts.recent(subject, after(21))), 3)
      equal(await right(attempts.recent(subject, after(65))), 2)
      equal(await right(attempts.recent(subject, after(100))), 0)
    },
  },
]
