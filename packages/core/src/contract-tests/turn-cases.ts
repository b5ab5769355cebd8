import type { StorePorts } from '../ports/index.js'
import { after, freshCode } from './builders.js'
import { equal, right, type ContractCase } from './contract-case.js'

const port = 'Turns'

const aTurn = (job: string, token: string, second: number, seconds = 60) => ({
  job,
  token,
  at: after(second),
  endsAt: after(second + seconds),
})

/** The turns of jobs that all servers share. */
export const turnCases: readonly ContractCase<StorePorts>[] = [
  {
    port,
    title: 'a turn is one server at a time, and another one when it has ended',
    run: async ({ turns }) => {
      const [job, other, one, two] = ['job', 'other', 'one', 'two'].map(freshCode) as [
        string,
        string,
        string,
        string,
      ]
      equal(await right(turns.take(aTurn(job, one, 0))), true)
      equal(await right(turns.take(aTurn(job, two, 59.999))), false)
      equal(await right(turns.take(aTurn(other, two, 1))), true)
      equal(await right(turns.take(aTurn(job, two, 60))), true)
      equal(await right(turns.take(aTurn(job, one, 61))), false)
    },
  },
  {
    port,
    title: 'who has the turn may take it again, and ends it later or sooner by that',
    run: async ({ turns }) => {
      const [job, one, two] = ['job', 'one', 'two'].map(freshCode) as [string, string, string]
      equal(await right(turns.take(aTurn(job, one, 0))), true)
      equal(await right(turns.take(aTurn(job, one, 30))), true)
      equal(await right(turns.take(aTurn(job, two, 60))), false)
      equal(await right(turns.take(aTurn(job, one, 61, 0))), true)
      equal(await right(turns.take(aTurn(job, two, 61))), true)
    },
  },
  {
    port,
    title: 'of many that want a turn at the same time exactly one gets it',
    run: async ({ turns }) => {
      const job = freshCode('job')
      for (const second of [0, 100]) {
        const taken = await Promise.all(
          Array.from({ length: 10 }, () => right(turns.take(aTurn(job, freshCode('t'), second)))),
        )
        equal(taken.filter(Boolean).length, 1)
      }
    },
  },
]
