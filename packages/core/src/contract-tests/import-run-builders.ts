import { type ImportRun, placeOf, type RunFailure } from '../domain/import-run.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import type { RunOutcome } from '../ports/import-runs.js'
import type { StorePorts } from '../ports/index.js'
import { freshCode, start } from './builders.js'
import { right } from './contract-case.js'

export const sha256 = 'ab'.repeat(32)

export const aRun = (
  { organisation, code }: ImportSupplier,
  changed: Partial<ImportRun> = {},
): ImportRun => ({
  id: freshCode('run').replaceAll('-', ''),
  organisation,
  importSupplier: code,
  label: undefined,
  source: undefined,
  startedBy: 'key k1 (night)',
  startedAt: start,
  latestRequestAt: start,
  latestProgressAt: start,
  finishedAt: undefined,
  undone: undefined,
  totals: undefined,
  failuresRemovedAt: undefined,
  ...changed,
})

export const openRun = async (
  { importRuns }: StorePorts,
  supplier: ImportSupplier,
  changed: Partial<ImportRun> = {},
) => right(importRuns.open(aRun(supplier, changed)))

export const email = { code: 'invalid', field: 'customers[].email', attr: 'customers.1.email', times: 2 }
export const blank = {
  code: 'blank',
  field: 'customers[].given_name',
  attr: 'customers.0.given_name',
  times: 1,
}

export const refused = (
  line: number | undefined,
  number: string | undefined,
  findings = [email],
): RunOutcome => ({
  line,
  externalAccountNumber: number,
  failure: { code: 'account_failed_validation', findings },
})

export const accepted = (line: number | undefined, number: string): RunOutcome => ({
  line,
  externalAccountNumber: number,
  failure: undefined,
})

export const allFailures = async (
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

export const linesOf = (failures: readonly RunFailure[]) =>
  failures.map(({ step, line, externalAccountNumber }) => [step, line, externalAccountNumber])
