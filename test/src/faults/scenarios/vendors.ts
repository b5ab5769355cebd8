import { median } from '../../support/median.js'
import {
  type FailureCase,
  failureCases,
  type FailureRun,
  runFailureCase,
  wrongIn,
} from '../../vendors/support/failure-cases.js'
import { type VendorKind, vendorKinds } from '../../vendors/support/vendor-kinds.js'

/** What came of all runs of one way for a vendor to fail. All is well when `wrong` is empty. */
type VendorFault = Readonly<{ vendor: string; fault: string; wrong: readonly string[] }>

const slowestMilliseconds = 6000
const slowestOpenMilliseconds = 50

const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10

/** Milliseconds that answers took: the first of each run, and those with the breaker open. */
const timesOf = (done: readonly FailureRun[]) => {
  const broken = done.flatMap((run) => (run.broken === undefined ? [] : [run.broken]))
  const open = broken.map(({ milliseconds }) => milliseconds)
  return {
    slowest: rounded(Math.max(...done.map(({ first }) => first.milliseconds))),
    ...(broken.length > 0 && {
      medianOpen: rounded(median(open)),
      slowestOpen: rounded(Math.max(...open)),
    }),
  }
}

const atOnce = 4

/** The runs of one case, a few at a time, each with a vendor and a guard of its own. */
const measure = async (kind: VendorKind, failureCase: FailureCase, runs: number): Promise<VendorFault> => {
  const done: FailureRun[] = []
  while (done.length < runs) {
    const size = Math.min(atOnce, runs - done.length)
    const together = Array.from({ length: size }, () => runFailureCase(kind, failureCase))
    done.push(...(await Promise.all(together)))
  }
  const times = timesOf(done)
  const { slowest, slowestOpen = 0 } = times
  const wrong = [...new Set(done.flatMap((run) => wrongIn(failureCase, run)))]
  if (slowest >= slowestMilliseconds) wrong.push('too slow')
  if (slowestOpen >= slowestOpenMilliseconds) wrong.push('too slow when open')
  const answers = [...new Set(done.map(({ first }) => first.outcome))].join(', ')
  const named = { vendor: kind.name, fault: failureCase.title, runs: done.length, answers }
  return { ...named, ...times, wrong }
}

/** Lets every vendor fail in every way, so many times, over real sockets; gives what came of each way. */
export async function* vendorsRun(runs: number): AsyncGenerator<VendorFault> {
  // Code runs slower the first times; that is not what is measured.
  for (const kind of vendorKinds)
    for (const failureCase of failureCases.filter(({ outcome }) => outcome === 'not_found'))
      await runFailureCase(kind, failureCase)
  for (const kind of vendorKinds)
    for (const failureCase of failureCases) yield await measure(kind, failureCase, runs)
}
