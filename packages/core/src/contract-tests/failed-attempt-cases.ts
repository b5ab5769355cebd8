import type { StorePorts } from '../ports/index.js'
import { after, freshCode } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

/** Every counter of failed attempts. */
export const failedAttemptCases = casesOf<Pick<StorePorts, 'failedAttempts'>>('FailedAttempts', {
  'attempts of a subject are counted for 60 seconds, apart from those of others': async ({
    failedAttempts: attempts,
  }) => {
    const subject = freshCode('subject')
    equal(await right(attempts.recent(subject, after(0))), 0)
    for (const [index, second] of [0, 10, 20].entries())
      equal(await right(attempts.record(subject, after(second))), index + 1)
    await right(attempts.record(freshCode('other'), after(20)))
    equal(await right(attempts.recent(subject, after(21))), 3)
    equal(await right(attempts.recent(subject, after(65))), 2)
    equal(await right(attempts.recent(subject, after(100))), 0)
  },
  'of 20 failures of a subject at the same time each has a number of its own, and subjects are exact':
    async ({ failedAttempts: attempts }) => {
      const subject = freshCode('subject')
      const counts = await Promise.all(
        Array.from({ length: 20 }, () => right(attempts.record(subject, after(1)))),
      )
      equal(
        counts.toSorted((one, other) => one - other),
        Array.from({ length: 20 }, (_, index) => index + 1),
      )
      for (const other of [subject.toUpperCase(), `${subject} `])
        equal(await right(attempts.recent(other, after(2))), 0)
      equal(await right(attempts.recent(subject, after(2))), 20)
    },
})
