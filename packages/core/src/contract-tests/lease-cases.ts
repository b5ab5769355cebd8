import type { StorePorts } from '../ports/index.js'
import { after, freshCode } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

const aLease = (job: string, token: string, second: number, seconds = 60) => ({
  job,
  token,
  at: after(second),
  endsAt: after(second + seconds),
})

/** The leases of jobs that all servers share. */
export const leaseCases = casesOf<StorePorts>('Leases', {
  'a lease is one server at a time, and another one when it has ended': async ({ leases }) => {
    const [job, other, one, two] = ['job', 'other', 'one', 'two'].map(freshCode) as [
      string,
      string,
      string,
      string,
    ]
    equal(await right(leases.take(aLease(job, one, 0))), true)
    equal(await right(leases.take(aLease(job, two, 59.999))), false)
    equal(await right(leases.take(aLease(other, two, 1))), true)
    equal(await right(leases.take(aLease(job, two, 60))), true)
    equal(await right(leases.take(aLease(job, one, 61))), false)
  },
  'who has the lease may take it again, and ends it later or sooner by that': async ({ leases }) => {
    const [job, one, two] = ['job', 'one', 'two'].map(freshCode) as [string, string, string]
    equal(await right(leases.take(aLease(job, one, 0))), true)
    equal(await right(leases.take(aLease(job, one, 30))), true)
    equal(await right(leases.take(aLease(job, two, 60))), false)
    equal(await right(leases.take(aLease(job, one, 61, 0))), true)
    equal(await right(leases.take(aLease(job, two, 61))), true)
  },
  'of many that want a lease at the same time exactly one gets it': async ({ leases }) => {
    const job = freshCode('job')
    for (const second of [0, 100]) {
      const taken = await Promise.all(
        Array.from({ length: 10 }, () => right(leases.take(aLease(job, freshCode('t'), second)))),
      )
      equal(taken.filter(Boolean).length, 1)
    }
  },
})
