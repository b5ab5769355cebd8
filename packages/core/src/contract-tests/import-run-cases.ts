import type { ImportRun } from '../domain/import-run.js'
import type { StorePorts } from '../ports/index.js'
import { casesOf, equal, right } from './contract-case.js'
import { after, aSmallAccount, aStaging, freshCode, freshSupplier, keyOf } from './builders.js'
import { createdFrom } from './held-account.js'
import { aRun, blank, email, openRun, refused, sha256 } from './import-run-builders.js'

/** Import runs, and the accounts that they staged and created. */
export const importRunCases = casesOf<StorePorts>('ImportRuns', {
  'a run is found by its own organisation alone, equal to the opened one': async (ports) => {
    const supplier = await freshSupplier(ports)
    const { organisation: other } = await freshSupplier(ports)
    const run = aRun(supplier, {
      label: 'Rehearsal ñ 3 ',
      source: { name: 'accounts – final.ndjson', sha256, accounts: 2_147_483_647 },
    })
    equal(await right(ports.importRuns.open(run)), run)
    equal(await right(ports.importRuns.find(run.organisation, run.id)), run)
    equal(await right(ports.importRuns.find(other, run.id)), undefined)
    equal(await right(ports.importRuns.finish(other, run.id, after(1))), undefined)
    await right(ports.importRuns.touch(other, run.id, after(1), false))
    equal(await right(ports.importRuns.find(run.organisation, run.id)), run)
    equal(await right(ports.importRuns.find(run.organisation, run.id.toUpperCase())), undefined)
  },
  'a run keeps its latest request, also if an earlier one is stored later, until it is finished once': async (
    ports,
  ) => {
    const supplier = await freshSupplier(ports)
    const run = await openRun(ports, supplier)
    const { organisation, id } = run
    await right(ports.importRuns.touch(organisation, id, after(20), false))
    await right(ports.importRuns.touch(organisation, id, after(10), false))
    const touched = { ...run, latestRequestAt: after(20) }
    equal(await right(ports.importRuns.find(organisation, id)), touched)
    const totals = { created: 0, refused: 0 }
    const finished = { ...touched, latestRequestAt: after(30), finishedAt: after(30), totals }
    equal(await right(ports.importRuns.finish(organisation, id, after(30))), finished)
    equal(await right(ports.importRuns.finish(organisation, id, after(40))), finished)
    await right(ports.importRuns.touch(organisation, id, after(50), false))
    equal(await right(ports.importRuns.find(organisation, id)), finished)
  },
  'opening the same source again returns its unfinished run; another name, content or supplier opens a new one':
    async (ports) => {
      const supplier = await freshSupplier(ports)
      const source = { name: 'a.ndjson', sha256 }
      const first = await openRun(ports, supplier, { source: { ...source, accounts: 4000 } })
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
  'concurrent calls that open a run of one source all get the same run': async (ports) => {
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
  'runs are listed page by page, the latest first, of an organisation or of one of its suppliers': async (
    ports,
  ) => {
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
  'the accounts of a run are counted: staged, created, and refused by code and field': async (ports) => {
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
      createdFrom(ports, keyOf(supplier, number), after(1), (key, at) => ({
        ...aSmallAccount(key, undefined, at),
        importRun,
      }))
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
  'the accounts that a run created are listed page by page, without undone ones': async (ports) => {
    const supplier = await freshSupplier(ports)
    const run = await openRun(ports, supplier)
    for (const number of ['c', 'a', 'é', 'b', 'Z'])
      await createdFrom(ports, keyOf(supplier, number), after(1), (key, at) => ({
        ...aSmallAccount(key, undefined, at),
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
  },
  'undone accounts stay counted in the run that created them, with the latest time and actor, and its end keeps its totals':
    async (ports) => {
      const supplier = await freshSupplier(ports)
      const { organisation, code: importSupplier } = supplier
      const [run, other] = [await openRun(ports, supplier), await openRun(ports, supplier)]
      const make = (number: string, importRun?: string) =>
        createdFrom(ports, keyOf(supplier, number), after(1), (key) => ({
          ...aSmallAccount(key),
          ...(importRun !== undefined && { importRun }),
        }))
      for (const number of ['a', 'b', 'c']) await make(number, run.id)
      await make('x', other.id)
      await make('y')
      const outcomes = [refused(1, 'e', [email, blank]), refused(2, 'f')]
      await right(ports.importRuns.record({ run: run.id, step: 'stage', at: after(1), outcomes }))
      const undo = async (seconds: number, who: string, externalAccountNumbers: readonly string[]) => {
        const at = after(seconds)
        const request = { organisation, importSupplier, externalAccountNumbers, withAdditions: false, at }
        const preview = await right(ports.accountUndo.canUndo(request))
        const previewed = preview.map((outcome) => (outcome._tag === 'undoable' ? outcome : undefined))
        await right(ports.accountUndo.undo({ ...request, previewed, by: { who } }))
      }
      const found = async ({ id }: ImportRun) => {
        const known = await right(ports.importRuns.find(organisation, id))
        if (known === undefined) throw new Error('the run is there')
        return known
      }
      const totals = async () => right(ports.importRuns.totals([await found(other), await found(run)]))
      const both = [
        { created: 1, refused: 0 },
        { created: 3, refused: 2 },
      ]
      equal(await totals(), both)
      equal(await right(ports.importRuns.totals([])), [])
      await undo(5, 'key k2', ['a', 'x', 'y', 'missing'])
      equal(await totals(), both)
      equal((await found(run)).undone, { count: 1, latestAt: after(5), latestBy: 'key k2' })
      equal((await found(other)).undone, { count: 1, latestAt: after(5), latestBy: 'key k2' })
      const finished = await right(ports.importRuns.finish(organisation, run.id, after(6)))
      equal(finished?.totals, both[1])
      await undo(7, 'key k3', ['b', 'c'])
      const late = await found(run)
      equal(late, {
        ...run,
        latestRequestAt: after(6),
        finishedAt: after(6),
        totals: { created: 3, refused: 2 },
        undone: { count: 3, latestAt: after(7), latestBy: 'key k3' },
      })
      equal(await totals(), both)
      equal((await right(ports.importRuns.counts(late))).created, 3)
    },
})
