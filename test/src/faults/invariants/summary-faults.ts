import type { AccountImport, ImportSupplier, Instant, Ports } from '@account-import/core'
import { isDeepStrictEqual } from 'node:util'
import { answer } from '../../support/answers.js'
import { numbersIn, type Looked } from './look-at.js'

const stateOf = (found: AccountImport, at: Instant): string => {
  if (found.created !== undefined) return 'created'
  if (found.skipped) return 'skipped'
  if (found.stagedVersion === 0) return 'unknown'
  return found.claim !== undefined && found.claim.expiresAt > at ? 'inProgress' : 'staged'
}

/** Where summary and lists of a supplier do not count what its imports are, one by one. */
export const summaryFaults = async (
  ports: Ports,
  supplier: ImportSupplier,
  looked: readonly Looked[],
): Promise<readonly string[]> => {
  const { accountImports, clock } = ports
  const { organisation, code: importSupplier } = supplier
  const inList = async (list: 'all' | 'pending' | 'imported'): Promise<number> =>
    (await numbersIn(ports, supplier, list)).length
  const at = clock.now()
  const states = looked.flatMap(({ found }) => (found === undefined ? [] : [stateOf(found, at)]))
  const count = (...wanted: readonly string[]): number =>
    states.filter((state) => wanted.includes(state)).length
  const { errors, failed, ...told } = await answer(accountImports.summary(organisation, importSupplier, at))
  const staged = looked.filter(({ found }) => (found?.stagedVersion ?? 0) > 0).length
  const seen = {
    ...told,
    failed: errors.reduce((total, error) => total + error.count, 0),
    lists: [await inList('all'), await inList('pending'), await inList('imported')],
  }
  const expected = {
    staged: count('staged'),
    inProgress: count('inProgress'),
    created: count('created'),
    skipped: count('skipped'),
    failed,
    lists: [staged, count('staged', 'inProgress'), count('created')],
  }
  return isDeepStrictEqual(seen, expected)
    ? []
    : [`I7: ${importSupplier} is told as ${JSON.stringify(seen)}, and is ${JSON.stringify(expected)}`]
}
