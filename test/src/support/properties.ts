import type { ExecutionContext } from 'ava'
import fc from 'fast-check'

export { default as fc } from 'fast-check'

const { PROPERTY_SEED, PROPERTY_PATH, PROPERTY_TIMES } = process.env

/** `npm test` tries the same values each time: whether a push is green must not depend on when it is made. */
const usualSeed = 20_251_122

/** For all that is made at random in this run. */
export const seed = Number(PROPERTY_SEED ?? usualSeed)

// For all properties of a test file, as AVA gives each file a thread of its own.
fc.configureGlobal({
  seed,
  includeErrorInReport: true,
  ...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
})

/** Whether one failure is replayed, by its seed and path. */
export const isReplay = PROPERTY_PATH !== undefined

/** Whether this is a run of `node scripts/properties.mjs`, which has time for everything. */
export const isThorough = PROPERTY_TIMES !== undefined

/** How often a property is tried: in `npm test` as often as usual, by `node scripts/properties.mjs` as many times more. */
export const runs = (usual: number): number => usual * Number(PROPERTY_TIMES ?? 1)

/** Checks a property for the usual number of such values: it fails when it throws or returns false. */
export const holds = <Given extends readonly unknown[]>(
  t: ExecutionContext,
  usual: number,
  arbitraries: { readonly [At in keyof Given]: fc.Arbitrary<Given[At]> },
  property: (...given: Given) => boolean | void,
): void => {
  const given = fc.tuple(...arbitraries) as unknown as fc.Arbitrary<Given>
  const tried = fc.property(given, (values) => property(...values))
  t.notThrows(() => fc.assert(tried, { numRuns: runs(usual) }))
}
