import { placeOf, type RunError, type RunFailure } from '../domain/import-run.js'
import type { RunOutcome } from '../ports/import-runs.js'
import type { StorePorts } from '../ports/index.js'
import { casesOf, equal, right } from './contract-case.js'
import { after, aStaging, freshSupplier, keyOf, start } from './builders.js'
import { accepted, allFailures, blank, email, linesOf, openRun, refused } from './import-run-builders.js'

/** The failures of import runs. */
export const runFailureCases = casesOf<StorePorts>('ImportRuns', {
  'refused accounts are kept with their findings, page by page in the order of steps, lines and numbers':
    async (ports) => {
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
  'failures with an error are those that it counts, page by page, each with all of its findings': async (
    ports,
  ) => {
    const run = await openRun(ports, await freshSupplier(ports))
    const outcomes: RunOutcome[] = [
      refused(1, 'A', [email, blank]),
      refused(2, 'B', [blank]),
      { line: 3, externalAccountNumber: undefined, failure: { code: 'parse_error', findings: [] } },
      refused(4, 'D', [email, { ...email, field: 'customers[].mobile' }]),
      refused(5, 'é', [email]),
    ]
    await right(ports.importRuns.record({ run: run.id, step: 'stage', at: after(5), outcomes }))
    const inPages = async (error: RunError, limit: number) => {
      const found: RunFailure[] = []
      for (;;) {
        const last = found.at(-1)
        const request = { run: run.id, error, after: last && placeOf(last), limit }
        const page = await right(ports.importRuns.failures(request))
        found.push(...page)
        if (page.length < limit) return found
      }
    }
    const ofEmail = { step: 'stage', code: email.code, field: email.field } as const
    for (const limit of [1, 2, 9])
      equal(linesOf(await inPages(ofEmail, limit)), [
        ['stage', 1, 'A'],
        ['stage', 4, 'D'],
        ['stage', 5, 'é'],
      ])
    equal((await inPages(ofEmail, 9))[0]?.findings, [email, blank])
    equal(linesOf(await inPages({ ...ofEmail, field: 'customers[].mobile' }, 9)), [['stage', 4, 'D']])
    equal(linesOf(await inPages({ step: 'stage', code: 'parse_error', field: '' }, 9)), [
      ['stage', 3, undefined],
    ])
    equal(await inPages({ ...ofEmail, step: 'process' }, 9), [])
    equal(await inPages({ step: 'stage', code: 'account_failed_validation', field: '' }, 9), [])
    const { errors } = await right(ports.importRuns.counts(run))
    for (const { count, ...error } of errors) equal((await inPages(error, 9)).length, count)
  },
  'an account that is refused again has its latest findings, and one that is accepted later has no failure':
    async (ports) => {
      const run = await openRun(ports, await freshSupplier(ports))
      const record = (step: 'stage' | 'process', at: number, outcomes: readonly RunOutcome[]) =>
        right(ports.importRuns.record({ run: run.id, step, at: after(at), outcomes }))
      await record('stage', 1, [refused(1, 'A', [email, blank]), refused(2, 'B'), refused(3, 'C')])
      await record('stage', 1, [refused(undefined, 'D'), refused(undefined, 'E')])
      await record('process', 1, [refused(undefined, 'B'), refused(undefined, 'D')])
      await record('stage', 2, [refused(1, 'A', [blank]), accepted(2, 'B'), accepted(4, 'C')])
      // Without a line the number alone identifies the failure.
      await record('stage', 2, [accepted(undefined, 'D'), accepted(5, 'E'), accepted(undefined, 'C')])
      const failures = await allFailures(ports, run, 9)
      equal(linesOf(failures), [
        ['process', undefined, 'B'],
        ['process', undefined, 'D'],
        ['stage', undefined, 'E'],
        ['stage', 1, 'A'],
        ['stage', 3, 'C'],
      ])
      equal(failures[3]?.findings, [blank])
      equal(failures[3]?.failedAt, after(2))
    },
  'failures of runs without a recent request are removed up to the limit, and the run keeps the time': async (
    ports,
  ) => {
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
  'a run that is resumed after the removal of its failures has later failures removed too, when they are due':
    async (ports) => {
      const supplier = await freshSupplier(ports)
      const { id } = await openRun(ports, supplier)
      const { organisation, code: importSupplier } = supplier
      const failuresRemovedAt = async () =>
        (await right(ports.importRuns.find(organisation, id)))?.failuresRemovedAt
      const refuse = (at: number) =>
        right(
          ports.importRuns.record({ run: id, step: 'stage', at: after(at), outcomes: [refused(1, 'N1')] }),
        )
      const remove = (until: number) =>
        right(
          ports.importRuns.removeFailures({
            organisation,
            importSupplier,
            until: after(until),
            at: after(until + 1),
            limit: 9,
          }),
        )
      await refuse(0)
      equal(await remove(50), 1)
      equal(await failuresRemovedAt(), after(51))
      await right(ports.importRuns.touch(organisation, id, after(60), false))
      await refuse(60)
      equal(await failuresRemovedAt(), undefined)
      equal(await remove(59), 0)
      equal(await remove(60), 1)
      equal(await failuresRemovedAt(), after(61))
    },
  'failures of an account are found and erased with its personal data, those of others are kept': async (
    ports,
  ) => {
    const supplier = await freshSupplier(ports)
    const other = await freshSupplier(ports)
    const key = keyOf(supplier, 'A')
    const runs = [await openRun(ports, supplier), await openRun(ports, supplier)]
    const foreign = await openRun(ports, other)
    for (const { id: run } of [...runs, foreign])
      await right(
        ports.importRuns.record({
          run,
          step: 'stage',
          at: after(1),
          outcomes: [refused(2, 'A', [email, blank]), refused(1, 'A'), refused(3, 'AA')],
        }),
      )
    const held = await right(ports.personalData.find(key))
    equal(held?.accountImport, undefined)
    equal(linesOf(held?.runFailures ?? []), [
      ['stage', 1, 'A'],
      ['stage', 2, 'A'],
      ['stage', 1, 'A'],
      ['stage', 2, 'A'],
    ])
    equal(held?.runFailures[1]?.findings, [email, blank])
    const erased = { payloads: 0, rows: 0, transactions: 0, emails: 0, answers: 0, runFailures: 4 }
    equal(await right(ports.personalData.erase(key, after(2))), { _tag: 'erased', removed: erased })
    equal(await right(ports.personalData.find(key)), undefined)
    equal(await right(ports.personalData.erase(key, after(2))), { _tag: 'unknown' })
    for (const run of runs) equal(linesOf(await allFailures(ports, run, 9)), [['stage', 3, 'AA']])
    equal((await allFailures(ports, foreign, 9)).length, 3)
    await right(ports.accountImports.stage([aStaging(key)]))
    await right(
      ports.importRuns.record({
        run: foreign.id,
        step: 'process',
        at: after(3),
        outcomes: [refused(undefined, 'A')],
      }),
    )
    const [{ id: run } = foreign] = runs
    await right(
      ports.importRuns.record({ run, step: 'process', at: after(3), outcomes: [refused(undefined, 'A')] }),
    )
    equal(await right(ports.personalData.erase(key, after(4))), {
      _tag: 'erased',
      removed: { ...erased, payloads: 1, runFailures: 1 },
    })
  },
})
