import type { ImportSupplier } from '../domain/import-supplier.js'
import type { ImportRun, RunFailure } from '../domain/import-run.js'
import { placeOf } from '../domain/import-run.js'
import type { RunOutcome } from '../ports/import-runs.js'
import type { StorePorts } from '../ports/index.js'
import { after, aSmallAccount, aStaging, freshCode, freshSupplier, keyOf, start } from './builders.js'
import { equal, right, type ContractCase } from './contract-case.js'
import { createdFrom } from './held-account.js'

const port = 'ImportRuns'

const sha256 = 'ab'.repeat(32)

const aRun = ({ organisation, code }: ImportSupplier, changed: Partial<ImportRun> = {}): ImportRun => ({
  id: freshCode('run').replaceAll('-', ''),
  organisation,
  importSupplier: code,
  label: undefined,
  source: undefined,
  startedBy: 'key k1 (night)',
  startedAt: start,
  latestRequestAt: start,
  finishedAt: undefined,
  failuresRemovedAt: undefined,
  ...changed,
})

const openRun = async (
  { importRuns }: StorePorts,
  supplier: ImportSupplier,
  changed: Partial<ImportRun> = {},
) => right(importRuns.open(aRun(supplier, changed)))

const email = { code: 'invalid', field: 'customers[].email', attr: 'customers.1.email', times: 2 }
const blank = { code: 'blank', field: 'customers[].given_name', attr: 'customers.0.given_name', times: 1 }

const refused = (line: number | undefined, number: string | undefined, findings = [email]): RunOutcome => ({
  line,
  externalAccountNumber: number,
  failure: { code: 'account_failed_validation', findings },
})

const accepted = (line: number | undefined, number: string): RunOutcome => ({
  line,
  externalAccountNumber: number,
  failure: undefined,
})

const allFailures = async (
  { importRuns }: StorePorts,
  { id }: ImportRun,
  limit: number,
): Promise<readonly RunFailure[]> => {
  const found: RunFailure[] = []
  for (;;) {
    const last = found.at(-1)
    const page = await right(importRuns.failures({ run: id, after: last && placeOf(last), limit }))
    found.push(...page)
    if (page.length < limit) return found
  }
}

const linesOf = (failures: readonly RunFailure[]) =>
  failures.map(({ step, line, externalAccountNumber }) => [step, line, externalAccountNumber])

/** Import runs, and the accounts that were refused in them. */
export const importRunCases: readonly ContractCase<StorePorts>[] = [
  {
    port,
    title: 'a run is found by its own organisation alone, exactly as it was opened',
    run: async (ports) => {
      const supplier = await freshSupplier(ports)
      const { organisation: other } = await freshSupplier(ports)
      const run = aRun(supplier, {
        label: 'Rehearsal ñ 3 ',
        source: { name: 'accounts – final.ndjson', sha256 },
      })
      equal(await right(ports.importRuns.open(run)), run)
      equal(await right(ports.importRuns.find(run.organisation, run.id)), run)
      equal(await right(ports.importRuns.find(other, run.id)), undefined)
      equal(await right(ports.importRuns.finish(other, run.id, after(1))), undefined)
      await right(ports.importRuns.touch(other, run.id, after(1)))
      equal(await right(ports.importRuns.find(run.organisation, run.id)), run)
      equal(await right(ports.importRuns.find(run.organisation, run.id.toUpperCase())), undefined)
    },
  },
  {
    port,
    title: 'a run keeps its latest request, however late an earlier one is told, until it is finished once',
    run: async (ports) => {
      const supplier = await freshSupplier(ports)
      const run = await openRun(ports, supplier)
      const { organisation, id } = run
      await right(ports.importRuns.touch(organisation, id, after(20)))
      await right(ports.importRuns.touch(organisation, id, after(10)))
      const touched = { ...run, latestRequestAt: after(20) }
      equal(await right(ports.importRuns.find(organisation, id)), touched)
      const finished = { ...touched, latestRequestAt: after(30), finishedAt: after(30) }
      equal(await right(ports.importRuns.finish(organisation, id, after(30))), finished)
      equal(await right(ports.importRuns.finish(organisation, id, after(40))), finished)
      await right(ports.importRuns.touch(organisation, id, after(50)))
      equal(await right(ports.importRuns.find(organisation, id)), finished)
    },
  },
  {
    port,
    title:
      'a run of the same source goes on as long as it is not finished; one of another name, content or supplier is new',
    run: async (ports) => {
      const supplier = await freshSupplier(ports)
      const source = { name: 'a.ndjson', sha256 }
      const first = await openRun(ports, supplier, { source })
      const again = await openRun(ports, supplier, { source, startedAt: after(9), latestRequestAt: after(9) })
      equal(again, { ...first, latestRequestAt: after(9) })
      const others = [
        await openRun(ports, supplier, { source: { ...source, name: 'b.ndjson' } }),
        await openRun(ports, supplier, { source: { ...source, sha256: 'cd'.repeat(32) } }),
        await openRun(ports, await freshSupplier(ports), { source }),
        await openRun(ports, supplier),
        await openRun(ports, supplier),
      ]
      equal(new Set([first, ...others].map(({ id }) => id)).size, 6)
      await right(ports.importRuns.finish(first.organisation, first.id, after(10)))
      const next = await openRun(ports, supplier, { source })
      equal(next.id === first.id, false)
    },
  },
  {
    port,
    title: 'of many who open a run of one source at the same moment, all get the same one',
    run: async (ports) => {
      const supplier = await freshSupplier(ports)
      const source = { name: 'a.ndjson', sha256 }
      const opened = await Promise.all(Array.from({ length: 8 }, () => openRun(ports, supplier, { source })))
      equal(new Set(opened.map(({ id }) => id)).size, 1)
      const { organisation } = supplier
      const page = await right(ports.importRuns.page({ organisation, after: undefined, limit: 9 }))
      equal(
        page.map(({ id }) => id),
        [opened[0]?.id],
      )
    },
  },
  {
    port,
    title: 'runs are listed page by page, the latest first, of an organisation or of one of its suppliers',
    run: async (ports) => {
      const supplier = await freshSupplier(ports)
      const { organisation } = supplier
      const settings = { ...supplier.settings, documentRoot: freshCode('root') }
      const second = { ...supplier, code: freshCode('SUP'), settings }
      await right(ports.importSuppliers.create(second))
      await openRun(ports, await freshSupplier(ports))
      const at = (seconds: number) => ({ startedAt: after(seconds), latestRequestAt: after(seconds) })
      const [a, b, c, d] = [
        await openRun(ports, supplier, at(1)),
        await openRun(ports, second, at(2)),
        await openRun(ports, supplier, { ...at(2) }),
        await openRun(ports, supplier, at(3)),
      ]
      const [upper, lower] = b.id < c.id ? [c, b] : [b, c]
      const expected = [d, upper, lower, a].map(({ id }) => id)
      for (const limit of [1, 2, 9]) {
        const seen: ImportRun[] = []
        for (;;) {
          const request = { organisation, after: seen.at(-1), limit }
          const page = await right(ports.importRuns.page(request))
          seen.push(...page)
          if (page.length < limit) break
        }
        equal(
          seen.map(({ id }) => id),
          expected,
        )
      }
      const ofSupplier = { organisation, importSupplier: supplier.code, after: d, limit: 9 }
      equal(
        (await right(ports.importRuns.page(ofSupplier))).map(({ id }) => id),
        [c.id, a.id],
      )
    },
  },
  {
    port,
    title:
      'refused accounts are kept with their findings, page by page in the order of steps, lines and numbers',
    run: async (ports) => {
      const run = await openRun(ports, await freshSupplier(ports))
      const record = (step: 'stage' | 'process', outcomes: readonly RunOutcome[]) =>
        right(ports.importRuns.record({ run: run.id, step, at: after(5), outcomes }))
      const unreadable: RunOutcome = {
        line: 10,
        externalAccountNumber: undefined,
        failure: { code: 'parse_error', findings: [] },
      }
      await record('stage', [refused(9, 'N9', [email, blank]), unreadable, accepted(11, 'N11')])
      await record('stage', [refused(100, 'N100'), refused(undefined, 'single'), refused(9, 'é')])
      await record('process', [refused(undefined, 'N1'), refused(undefined, 'N0', [])])
      const expected = [
        ['process', undefined, 'N0'],
        ['process', undefined, 'N1'],
        ['stage', undefined, 'single'],
        ['stage', 9, 'N9'],
        ['stage', 9, 'é'],
        ['stage', 10, undefined],
        ['stage', 100, 'N100'],
      ]
      for (const limit of [1, 2, 3, 9]) equal(linesOf(await allFailures(ports, run, limit)), expected)
      const failures = await allFailures(ports, run, 9)
      equal(failures[3], {
        step: 'stage',
        line: 9,
        externalAccountNumber: 'N9',
        code: 'account_failed_validation',
        findings: [email, blank],
        failedAt: after(5),
      })
      equal(failures[5], { ...failures[5], code: 'parse_error', findings: [] })
      const other = await openRun(ports, await freshSupplier(ports))
      equal(await allFailures(ports, other, 9), [])
    },
  },
  {
    port,
    title:
      'an account that is refused again keeps its latest findings, and one that is accepted then has no failure',
    run: async (ports) => {
      const run = await openRun(ports, await freshSupplier(ports))
      const record = (step: 'stage' | 'process', at: number, outcomes: readonly RunOutcome[]) =>
        right(ports.importRuns.record({ run: run.id, step, at: after(at), outcomes }))
      await record('stage', 1, [refused(1, 'A', [email, blank]), refused(2, 'B'), refused(3, 'C')])
      await record('process', 1, [refused(undefined, 'B')])
      await record('stage', 2, [refused(1, 'A', [blank]), accepted(2, 'B'), accepted(4, 'C')])
      const failures = await allFailures(ports, run, 9)
      equal(linesOf(failures), [
        ['process', undefined, 'B'],
        ['stage', 1, 'A'],
        ['stage', 3, 'C'],
      ])
      equal(failures[1]?.findings, [blank])
      equal(failures[1]?.failedAt, after(2))
    },
  },
  {
    port,
    title: 'the accounts of a run are counted: staged, created, and refused by code and field',
    run: async (ports) => {
      const supplier = await freshSupplier(ports)
      const [run, other] = [await openRun(ports, supplier), await openRun(ports, supplier)]
      const counts = () => right(ports.importRuns.counts(run))
      equal(await counts(), { staged: 0, created: 0, failed: { stage: 0, process: 0 }, errors: [] })
      const stage = (number: string, importRun: string | undefined) =>
        right(ports.accountImports.stage([{ ...aStaging(keyOf(supplier, number)), importRun }]))
      for (const number of ['a', 'b', 'c']) await stage(number, run.id)
      await stage('b', other.id)
      await stage('c', undefined)
      await stage('d', run.id)
      const made = (number: string, importRun: string) =>
        createdFrom(ports, keyOf(supplier, number), after(1), (key) => ({ ...aSmallAccount(key), importRun }))
      const account = await made('x', run.id)
      await made('y', other.id)
      await createdFrom(ports, keyOf(supplier, 'z'), after(1))
      equal(await right(ports.accounts.find(account.key)), account)
      await right(
        ports.importRuns.record({
          run: run.id,
          step: 'stage',
          at: after(1),
          outcomes: [
            refused(1, 'e', [email, blank]),
            refused(2, 'f', [email]),
            { line: 3, externalAccountNumber: undefined, failure: { code: 'parse_error', findings: [] } },
          ],
        }),
      )
      await right(
        ports.importRuns.record({
          run: run.id,
          step: 'process',
          at: after(1),
          outcomes: [refused(undefined, 'a')],
        }),
      )
      equal(await counts(), {
        staged: 2,
        created: 1,
        failed: { stage: 3, process: 1 },
        errors: [
          { step: 'stage', code: 'invalid', field: 'customers[].email', count: 2 },
          { step: 'process', code: 'invalid', field: 'customers[].email', count: 1 },
          { step: 'stage', code: 'blank', field: 'customers[].given_name', count: 1 },
          { step: 'stage', code: 'parse_error', field: '', count: 1 },
        ],
      })
    },
  },
  {
    port,
    title: 'the accounts that a run created are listed page by page, without those that were taken back',
    run: async (ports) => {
      const supplier = await freshSupplier(ports)
      const run = await openRun(ports, supplier)
      for (const number of ['c', 'a', 'é', 'b', 'Z'])
        await createdFrom(ports, keyOf(supplier, number), after(1), (key) => ({
          ...aSmallAccount(key),
          importRun: run.id,
        }))
      await createdFrom(ports, keyOf(supplier, 'aa'), after(1))
      const { organisation, code: importSupplier } = supplier
      const page = (from: string | undefined, limit: number) =>
        right(
          ports.importRuns.createdAccounts({ organisation, importSupplier, run: run.id, after: from, limit }),
        )
      equal(await page(undefined, 9), ['Z', 'a', 'b', 'c', 'é'])
      equal(await page('a', 2), ['b', 'c'])
      const request = { organisation, importSupplier, externalAccountNumbers: ['b'], withAdditions: false }
      const preview = await right(ports.accountUndo.canUndo({ ...request, at: after(9) }))
      const previewed = preview.map((outcome) => (outcome._tag === 'undoable' ? outcome : undefined))
      await right(ports.accountUndo.undo({ ...request, at: after(9), previewed }))
      equal(await page(undefined, 9), ['Z', 'a', 'c', 'é'])
      equal((await right(ports.importRuns.counts(run))).created, 4)
      equal((await right(ports.importRuns.counts(run))).staged, 0)
    },
  },
  {
    port,
    title:
      'failures of runs without a request for long enough are removed, some at a time, and the run says since when',
    run: async (ports) => {
      const supplier = await freshSupplier(ports)
      const other = await freshSupplier(ports)
      const old = await openRun(ports, supplier)
      const none = await openRun(ports, supplier)
      const late = await openRun(ports, supplier, { latestRequestAt: after(100) })
      const foreign = await openRun(ports, other)
      for (const { id } of [old, late, foreign])
        await right(
          ports.importRuns.record({
            run: id,
            step: 'stage',
            at: start,
            outcomes: [1, 2, 3].map((line) => refused(line, `N${line}`, [email, blank])),
          }),
        )
      const { organisation, code: importSupplier } = supplier
      const due = { organisation, importSupplier, until: after(50), at: after(60) }
      equal(await right(ports.importRuns.removeFailures({ ...due, limit: 2 })), 2)
      equal((await allFailures(ports, old, 9)).length, 1)
      equal((await right(ports.importRuns.find(organisation, old.id)))?.failuresRemovedAt, undefined)
      equal(await right(ports.importRuns.removeFailures({ ...due, limit: 9 })), 1)
      equal(await allFailures(ports, old, 9), [])
      for (const { id } of [old, none])
        equal((await right(ports.importRuns.find(organisation, id)))?.failuresRemovedAt, after(60))
      equal((await right(ports.importRuns.find(organisation, late.id)))?.failuresRemovedAt, undefined)
      equal((await allFailures(ports, late, 9)).length, 3)
      equal((await allFailures(ports, foreign, 9)).length, 3)
      equal(await right(ports.importRuns.removeFailures({ ...due, limit: 9 })), 0)
    },
  },
]
