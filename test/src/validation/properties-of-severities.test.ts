import test from 'ava'
import { E, checkAccountPayload } from '@account-import/core/adapter-kit'
import { generateAccounts } from '@account-import/example-generate-accounts'
import { fc, isReplay, runs } from '../support/properties.js'
import { published } from '../support/published.js'
import { mutate, mutations } from './mutations.js'
import { contextWith } from './support.js'

const originals: readonly string[] = [...generateAccounts({ count: 40, warningShare: 0.5 })].map(
  ({ payload }) => JSON.stringify(payload),
)

const codes = [...published].flatMap(([code, { changeable }]) => (changeable ? [code] : []))

type Severities = Readonly<Record<string, 'error' | 'warn' | 'off'>>

const chosen: fc.Arbitrary<Severities> = fc
  .array(fc.constantFrom('error' as const, 'warn' as const, 'off' as const), {
    minLength: codes.length,
    maxLength: codes.length,
  })
  .map((list) => Object.fromEntries(codes.map((code, at) => [code, list[at] ?? 'off'])))

type Found = Readonly<{ error: readonly string[]; warn: readonly string[]; isRefused: boolean }>

/** What is found with such severities, as `attr code`. */
const find = (payload: unknown, severities: Severities): Found => {
  const checked = checkAccountPayload(payload, contextWith({ severities }))
  const { errors, warnings } = E.isLeft(checked) ? checked.left : { errors: [], ...checked.right }
  const [error = [], warn = []] = [errors, warnings].map((entries) =>
    entries.map(({ attr, code }) => `${attr} ${code}`).sort(),
  )
  return { error, warn, isRefused: E.isLeft(checked) }
}

/** What is to be found, by what is found with the severities of the catalogue. */
const expected = (plain: Found, severities: Severities): Found => {
  const all = (['error', 'warn'] as const).flatMap((byDefault) =>
    plain[byDefault].map((entry) => ({ entry, now: severities[entry.split(' ')[1] ?? ''] ?? byDefault })),
  )
  const [error = [], warn = []] = ['error', 'warn'].map((severity) =>
    all
      .filter(({ now }) => now === severity)
      .map(({ entry }) => entry)
      .sort(),
  )
  return { error, warn, isRefused: error.length > 0 }
}

test('severities move entries between the lists or leave them out, and change nothing else', (t) => {
  let moved = 0
  fc.assert(
    fc.property(fc.nat(originals.length - 1), mutations, chosen, (original, changes, severities) => {
      const payload = JSON.parse(originals[original] ?? '{}') as Record<string, unknown>
      mutate(payload, changes)
      const plain = find(payload, {})
      // Beyond the limit it is other entries that are listed.
      if ([...plain.error, ...plain.warn].some((entry) => entry.startsWith(' too_many_'))) return true
      const wanted = expected(plain, severities)
      if (wanted.error.length !== plain.error.length) moved += 1
      return JSON.stringify(find(payload, severities)) === JSON.stringify(wanted)
    }),
    { numRuns: runs(300) },
  )
  t.true(isReplay || moved > 20)
})
