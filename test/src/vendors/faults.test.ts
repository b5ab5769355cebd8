import test from 'ava'
import { startFaultService, type FaultService } from './support/fault-service.js'
import { faults, type Fault } from './support/faults.js'
import { isClear, runFault, wrongIn } from './support/run-fault.js'
import { vendorKinds } from './support/vendor-kinds.js'

let service: FaultService

test.before(async () => {
  service = await startFaultService()
})

test.after.always(() => service.stop())

// One after the other, so that times are those of the service; what is slow by itself goes at once afterwards.
const isSlow = ({ title }: Fault): boolean => /^(?:no answer|1 byte|503)/.test(title)

for (const kind of vendorKinds)
  for (const fault of faults)
    (isSlow(fault) ? test : test.serial)(
      `${kind.name}, ${fault.title}: ${fault.outcome}, in time, at once with the breaker open, nothing unverified stored`,
      async (t) => {
        const run = await runFault(service, kind, fault)
        t.deepEqual(wrongIn(fault, run), [])
        t.true(run.first.milliseconds < 6000, `answered after ${run.first.milliseconds} ms`)
        t.is(run.broken === undefined, isClear(fault))
        // The breaker's own time: here all faults run at once. `npm run vendor-faults` takes the caller's.
        const milliseconds = run.broken?.guardMilliseconds ?? 0
        t.true(milliseconds < 50, `answered after ${milliseconds} ms when open`)
      },
    )
