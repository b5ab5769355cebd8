import { parseArgs } from 'node:util'
import { startFailingService, type FailingService } from '../vendors/support/failing-service.js'
import { failureCases, type FailureCase } from '../vendors/support/failure-cases.js'
import { runFailureCase, wrongIn, type FailureRun } from '../vendors/support/run-failure-case.js'
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

/** The runs of one case, `atOnce` at a time, each with a vendor and a guard of its own. */
const runsOf = async (service: FailingService, kind: VendorKind, failureCase: FailureCase) => {
  const done = []
  for (let begun = 0; begun < runs; begun += atOnce) {
    const size = Math.min(atOnce, runs - begun)
    done.push(
      ...(await Promise.all(Array.from({ length: size }, () => runFailureCase(service, kind, failureCase)))),
    )
  }
  return done
}

/** Milliseconds that answers took: the first of each run, and those with the breaker open. */
const timesOf = (done: readonly FailureRun[]) => {
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

/** Prints one line for the case; false when one of its runs was not as decided. */
const measure = async (
  service: FailingService,
  kind: VendorKind,
  failureCase: FailureCase,
): Promise<boolean> => {
  const done = await runsOf(service, kind, failureCase)
  const times = timesOf(done)
  const wrong = [...new Set(done.flatMap((run) => wrongIn(failureCase, run)))]
  const { slowest, medianOpen = 0, slowestOpenInGuard = 0 } = times
  if (slowest >= slowestMilliseconds) wrong.push('too slow')
  if (Math.max(medianOpen, slowestOpenInGuard) >= slowestOpenMilliseconds) wrong.push('too slow when open')
  const answers = [...new Set(done.map(({ first }) => `${first.status} ${first.code}`))].join(', ')
  console.log(
    JSON.stringify({
      vendor: kind.name,
      fault: failureCase.title,
      runs: done.length,
      answers,
      ...times,
      wrong,
    }),
  )
  return wrong.length === 0
}

if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(atOnce) || atOnce < 1) {
  console.error(`Usage: ${usage}`)
  process.exitCode = 2
} else {
  const service = await startFailingService()
  // Code runs slower the first times; that is not what is measured.
  for (const kind of vendorKinds)
    for (const failureCase of failureCases.filter(({ outcome }) => outcome === 'not_found'))
      await runFailureCase(service, kind, failureCase)
  for (const kind of vendorKinds)
    for (const failureCase of failureCases)
      if (!(await measure(service, kind, failureCase))) process.exitCode = 1
  await service.stop()
}
