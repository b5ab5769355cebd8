import { parseArgs } from 'node:util'
import { startFaultService, type FaultService } from '../vendors/support/fault-service.js'
import { faults, type Fault } from '../vendors/support/faults.js'
import { runFault, wrongIn, type FaultRun } from '../vendors/support/run-fault.js'
import { vendorKinds, type VendorKind } from '../vendors/support/vendor-kinds.js'

const usage = 'vendor-faults [--runs 1..] [--at-once 1..]'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, 'at-once': { type: 'string', default: '4' } },
})
const runs = Number(values.runs)
const atOnce = Number(values['at-once'])

const slowestMilliseconds = 6000
const slowestOpenMilliseconds = 50

const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10

const median = (milliseconds: readonly number[]): number =>
  milliseconds.toSorted((one, other) => one - other)[Math.floor(milliseconds.length / 2)] ?? 0

/** The runs of one fault, `atOnce` at a time, each with a vendor and a guard of its own. */
const runsOf = async (service: FaultService, kind: VendorKind, fault: Fault) => {
  const done = []
  for (let begun = 0; begun < runs; begun += atOnce) {
    const size = Math.min(atOnce, runs - begun)
    done.push(...(await Promise.all(Array.from({ length: size }, () => runFault(service, kind, fault)))))
  }
  return done
}

/** Milliseconds that answers took: the first of each run, and those with the breaker open. */
const timesOf = (done: readonly FaultRun[]) => {
  const broken = done.flatMap((run) => (run.broken === undefined ? [] : [run.broken]))
  const open = broken.map(({ milliseconds }) => milliseconds)
  return {
    slowest: rounded(Math.max(...done.map(({ first }) => first.milliseconds))),
    ...(broken.length > 0 && {
      medianOpen: rounded(median(open)),
      slowestOpen: rounded(Math.max(...open)),
      // Without the machine, which does other things besides: what the guard itself took.
      slowestOpenInGuard: Math.max(...broken.map(({ guardMilliseconds }) => guardMilliseconds)),
    }),
  }
}

/** Prints one line for the fault; false when one of its runs was not as decided. */
const measure = async (service: FaultService, kind: VendorKind, fault: Fault): Promise<boolean> => {
  const done = await runsOf(service, kind, fault)
  const times = timesOf(done)
  const wrong = [...new Set(done.flatMap((run) => wrongIn(fault, run)))]
  const { slowest, medianOpen = 0, slowestOpenInGuard = 0 } = times
  if (slowest >= slowestMilliseconds) wrong.push('too slow')
  if (Math.max(medianOpen, slowestOpenInGuard) >= slowestOpenMilliseconds) wrong.push('too slow when open')
  const answers = [...new Set(done.map(({ first }) => `${first.status} ${first.code}`))].join(', ')
  console.log(
    JSON.stringify({ vendor: kind.name, fault: fault.title, runs: done.length, answers, ...times, wrong }),
  )
  return wrong.length === 0
}

if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(atOnce) || atOnce < 1) {
  console.error(`Usage: ${usage}`)
  process.exitCode = 2
} else {
  const service = await startFaultService()
  // Code runs slower the first times; that is not what is measured.
  for (const kind of vendorKinds)
    for (const fault of faults.filter(({ outcome }) => outcome === 'not_found'))
      await runFault(service, kind, fault)
  for (const kind of vendorKinds)
    for (const fault of faults) if (!(await measure(service, kind, fault))) process.exitCode = 1
  await service.stop()
}
