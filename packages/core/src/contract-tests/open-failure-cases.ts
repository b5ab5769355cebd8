import type { AccountKey } from '../domain/account-import.js'
import { type ImportRun, type OpenFailure, openPlaceOf } from '../domain/import-run.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import type { RunOutcome } from '../ports/import-runs.js'
import type { StorePorts } from '../ports/index.js'
import type { Instant } from '../values/instant.js'
import { aCreation, after, aStaging, freshSupplier, keyOf, tagsOf } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'
import { accepted, blank, email, openRun, refused } from './import-run-builders.js'

const ofSupplier = ({ organisation, code: importSupplier }: ImportSupplier) => ({
  organisation,
  importSupplier,
})

/** Creates the account of the staged data. */
const createIn = async ({ accountImports }: StorePorts, key: AccountKey, at: Instant): Promise<void> =>
  equal(tagsOf(await right(accountImports.create([{ ...aCreation(key, at), version: 1 }]))), ['created'])

const unread = (line: number): RunOutcome => ({
  line,
  externalAccountNumber: undefined,
  failure: { code: 'parse_error', findings: [] },
})

const recordIn =
  ({ importRuns }: StorePorts, { id: run }: ImportRun, step: 'stage' | 'process' = 'stage') =>
  (at: number, outcomes: readonly RunOutcome[], begunAt = at) =>
    right(importRuns.record({ run, step, at: after(at), begunAt: after(begunAt), outcomes }))

/** All open failures, which every size of a page and the counts agree on. */
const openOf = async ({ importRuns }: StorePorts, supplier: ImportSupplier) => {
  const owner = ofSupplier(supplier)
  const inPages = async (limit: number): Promise<readonly OpenFailure[]> => {
    const found: OpenFailure[] = []
    for (;;) {
      const last = found.at(-1)
      const place = last && openPlaceOf(last.importRun, last)
      const page = await right(importRuns.openFailures({ ...owner, after: place, limit }))
      found.push(...page)
      if (page.length < limit) return found
    }
  }
  const all = await inPages(50)
  equal(await inPages(1), all)
  const { stage, process } = await right(importRuns.openFailureCounts(owner))
  equal(
    [stage, process],
    [all.filter(({ step }) => step === 'stage').length, all.filter(({ step }) => step === 'process').length],
  )
  return all
}

const namesOf = (failures: readonly OpenFailure[]) =>
  failures.map(({ externalAccountNumber, line }) => externalAccountNumber ?? line)

/** The failures that are open across runs. */
export const openFailureCases = casesOf<StorePorts>('ImportRuns', {
  'a refused account of any run is open until its number is staged or created, with the findings of its latest refusal':
    async (ports) => {
      const supplier = await freshSupplier(ports)
      const [first, second] = [await openRun(ports, supplier), await openRun(ports, supplier)]
      await recordIn(ports, await openRun(ports, await freshSupplier(ports)))(1, [refused(1, 'other')])
      await recordIn(ports, first)(1, [
        refused(1, 'A'),
        refused(2, 'B'),
        refused(3, 'C'),
        unread(4),
        unread(10),
      ])
      await right(ports.importRuns.finish(supplier.organisation, first.id, after(2)))
      await recordIn(ports, second)(3, [refused(7, 'B', [blank])])
      const open = await openOf(ports, supplier)
      equal(namesOf(open), [10, 4, 'A', 'B', 'C'])
      equal(open[3], {
        importRun: second.id,
        step: 'stage',
        line: 7,
        externalAccountNumber: 'B',
        code: 'account_failed_validation',
        findings: [blank],
        failedAt: after(3),
      })
      equal(open[1]?.code, 'parse_error')
      await right(ports.accountImports.stage([aStaging(keyOf(supplier, 'A'), '{"a":1}', after(4))]))
      equal(namesOf(await openOf(ports, supplier)), [10, 4, 'B', 'C'])
      await recordIn(ports, second, 'process')(5, [refused(undefined, 'A', [])])
      equal(
        (await openOf(ports, supplier)).map(({ step }) => step),
        ['stage', 'stage', 'process', 'stage', 'stage'],
      )
      await createIn(ports, keyOf(supplier, 'A'), after(6))
      equal(namesOf(await openOf(ports, supplier)), [10, 4, 'B', 'C'])
    },
  'other data of a created account is open until the number is accepted in its step, by a request that began later':
    async (ports) => {
      const supplier = await freshSupplier(ports)
      const run = await openRun(ports, supplier)
      const hasFailures = (...numbers: readonly string[]) => right(ports.importRuns.hasFailures(run, numbers))
      await right(ports.accountImports.stage([aStaging(keyOf(supplier, 'A'))]))
      await createIn(ports, keyOf(supplier, 'A'), after(1))
      const old = await openRun(ports, supplier)
      await recordIn(ports, old)(2, [refused(1, 'A'), refused(2, 'B')])
      equal(
        [await hasFailures('A'), await hasFailures('B', 'N'), await hasFailures('N')],
        [true, true, false],
      )
      await recordIn(ports, run, 'process')(4, [accepted(undefined, 'A')])
      await recordIn(ports, run)(4, [accepted(1, 'A')], 1)
      equal(namesOf(await openOf(ports, supplier)), ['A', 'B'])
      await recordIn(ports, run)(5, [accepted(1, 'A')], 3)
      equal(namesOf(await openOf(ports, supplier)), ['B'])
      equal(await hasFailures('A'), false)
      await recordIn(ports, run)(6, [refused(1, 'N')])
      equal(await hasFailures('A'), true)
    },
  'requests of one run and of several that refuse the same numbers at one time are all recorded, and each number is open once':
    async (ports) => {
      const supplier = await freshSupplier(ports)
      const runs = await Promise.all(Array.from({ length: 4 }, () => openRun(ports, supplier)))
      const requests = [...runs, ...runs.slice(0, 1)]
      const numbers = Array.from({ length: 40 }, (_, at) => `A${at + 100}`)
      for (let round = 1; round <= 5; round += 1)
        await Promise.all(
          requests.map((run, nth) => {
            const inOrder = nth % 2 === 0 ? numbers : numbers.toReversed()
            return recordIn(ports, run)(
              round,
              inOrder.map((number, at) => refused(at + 1, number)),
            )
          }),
        )
      equal(namesOf(await openOf(ports, supplier)), numbers)
    },
  'dismissed failures are no longer open, each with an event, and what is not open has none': async (
    ports,
  ) => {
    const supplier = await freshSupplier(ports)
    const run = await openRun(ports, supplier)
    await recordIn(ports, run)(1, [refused(1, 'A', [email]), refused(2, 'B'), refused(3, 'C'), unread(4)])
    await right(ports.accountImports.stage([aStaging(keyOf(supplier, 'B'), '{"a":1}', after(2))]))
    const places = [
      ...['A', 'B', 'N'].map((externalAccountNumber) => ({ externalAccountNumber })),
      { line: 4 },
    ]
    const dismissal = {
      ...ofSupplier(supplier),
      places: places.map((place) => openPlaceOf(run.id, place)),
      reason: 'Closed',
      at: after(3),
      by: { who: 'key k1' },
    }
    equal(await right(ports.importRuns.dismissFailures(dismissal)), 2)
    equal(namesOf(await openOf(ports, supplier)), ['C'])
    equal(await right(ports.importRuns.dismissFailures(dismissal)), 0)
    const entries = await right(
      ports.auditTrail.events({ organisation: supplier.organisation }, undefined, 100),
    )
    const events = entries.flatMap(
      ({ entry: { what, by, externalAccountNumber, subject, importSupplier } }) =>
        what === 'failure_dismissed'
          ? [[importSupplier, externalAccountNumber, subject, by.who].join(' | ')]
          : [],
    )
    equal(events.toSorted(), [
      `${supplier.code} |  | line ${run.id} 4: Closed | key k1`,
      `${supplier.code} | A | Closed | key k1`,
    ])
    await recordIn(ports, run)(4, [refused(1, 'A')])
    equal(namesOf(await openOf(ports, supplier)), ['A', 'C'])
  },
  'undo, erasure and the removal of due failures end open failures': async (ports) => {
    const supplier = await freshSupplier(ports)
    const owner = ofSupplier(supplier)
    const run = await openRun(ports, supplier)
    await recordIn(ports, run)(1, [refused(1, 'A'), refused(2, 'B'), refused(3, 'C'), unread(4)])
    await right(ports.accountImports.stage([aStaging(keyOf(supplier, 'A'))]))
    await createIn(ports, keyOf(supplier, 'A'), after(2))
    const undo = { ...owner, externalAccountNumbers: ['A'], withAdditions: false, at: after(3) }
    const previewed = (await right(ports.accountUndo.canUndo(undo))).map((outcome) =>
      outcome._tag === 'undoable' ? outcome : undefined,
    )
    await right(ports.accountUndo.undo({ ...undo, previewed, by: undefined }))
    equal(namesOf(await openOf(ports, supplier)), [4, 'B', 'C'])
    await right(ports.personalData.erase(keyOf(supplier, 'B'), after(4)))
    equal(namesOf(await openOf(ports, supplier)), [4, 'C'])
    const later = await openRun(ports, supplier, { latestRequestAt: after(9) })
    await recordIn(ports, later)(9, [refused(1, 'C')])
    await right(ports.importRuns.removeFailures({ ...owner, until: after(8), at: after(10), limit: 9 }))
    equal(namesOf(await openOf(ports, supplier)), ['C'])
  },
})
