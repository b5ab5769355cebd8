import type { Ports } from '@account-import/core'
import { answer } from '../../support/answers.js'
import type { LookedSupplier } from '../invariants/look-at.js'

/** The data behind the ports as JSON, but for what another attempt changes: tries, times, numbers. */
export type WorldState = string

/** What is drawn at random, or counts attempts. */
const changing = new Set([
  'attempts',
  'createdAt',
  'expiresAt',
  'id',
  'latestFailure',
  'platformAccountNumber',
  'secretHash',
  'stagedVersion',
  'version',
])

/** Times of the day on which the worlds begin are now; those in payloads are of other days. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (name, inner: unknown) => {
    if (changing.has(name)) return undefined
    return typeof inner === 'string' && inner.startsWith('2025-09-01T') ? 'now' : inner
  })

const importsOf = (ports: Ports, { looked }: LookedSupplier): readonly unknown[] =>
  looked.map(({ key, found, staged, account, emails }) => ({
    key,
    skipped: found?.skipped,
    isClaimed: found?.claim !== undefined && found.claim.expiresAt > ports.clock.now(),
    isCreated: found?.created !== undefined,
    staged: staged?.payload,
    account,
    emails: emails.map(({ language, served, state }) => ({ language, served, state: state._tag })),
  }))

export const worldState = async (ports: Ports, all: readonly LookedSupplier[]): Promise<WorldState> =>
  plain({
    organisations: await answer(ports.organisations.list()),
    suppliers: all.map(({ supplier }) => supplier),
    teams: await answer(ports.operationsTeams.list()),
    // Each attempt that has an effect makes another one, alike.
    apiKeys: [...new Set((await answer(ports.apiKeys.list())).map(plain))],
    imports: all.flatMap((supplier) => importsOf(ports, supplier)),
  })

const valuesOf = (value: unknown, path: string): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => valuesOf(inner, `${path}/${name}`))
    : [[path, value]]

/** Where two states are not equal, by the paths of the values. */
export const differences = (state: WorldState, expected: WorldState): readonly string[] => {
  if (state === expected) return []
  const [is, was] = [state, expected].map((text) => new Map(valuesOf(JSON.parse(text), '')))
  return [...new Set([...(is?.keys() ?? []), ...(was?.keys() ?? [])])]
    .filter((path) => is?.get(path) !== was?.get(path))
    .map((path) => `${path} is ${String(is?.get(path))}, without a fault ${String(was?.get(path))}`)
}
