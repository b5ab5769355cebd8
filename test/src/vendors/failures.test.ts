import test from 'ava'
import { startFailingService, type FailingService } from './support/failing-service.js'
import { failureCases, type FailureCase } from './support/failure-cases.js'
import { opensBreaker, runFailureCase, wrongIn } from './support/run-failure-case.js'
import { vendorKinds } from './support/vendor-kinds.js'

let service: FailingService

test.before(async () => {
  service = await startFailingService()
})

test.after.always(() => service.stop())

// One after the other, so that times are those of the service; what is slow by itself goes at once afterwards.
const isSlow = ({ title }: FailureCase): boolean => /^(?:no answer|1 byte|503)/.test(title)

for (const kind of vendorKinds)
  for (const failureCase of failureCases)
    (isSlow(failureCase) ? test : test.serial)(
      `${kind.name}, ${failureCase.title}: ${failureCase.outcome}, in time, ${opensBreaker(failureCase) ? 'at once with the breaker open' : 'the breaker shut'}, nothing unverified stored`,
      async (t) => {
        const run = await runFailureCase(service, kind, failureCase)
        t.deepEqual(wrongIn(failureCase, run), [])
        t.true(run.first.milliseconds < 6000, `answered after ${run.first.milliseconds} ms`)
        t.is(run.broken !== undefined, opensBreaker(failureCase))
        // The breaker's own time: here all cases run at once. `npm run faults -- vendors` takes the caller's.
        const milliseconds = run.broken?.guardMilliseconds ?? 0
        t.true(milliseconds < 50, `answered after ${milliseconds} ms when open`)
      },
    )
