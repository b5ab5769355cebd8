import { endpoints } from '@account-import/http-contract'
import test from 'ava'
import { mutate, mutations, type Mutation, originals } from '../validation/mutations.js'
import { exchangeBulk } from '../support/bulk-exchange.js'
import { fc, runs } from '../support/properties.js'
import { openBulkWorld, type BulkWorld } from './support/bulk-world.js'

type Case = Readonly<{ original: number; changes: readonly Mutation[]; number: number }>

const cases: fc.Arbitrary<Case> = fc.record({
  original: fc.nat(originals.length - 1),
  changes: fc.oneof(fc.constant<readonly Mutation[]>([]), mutations),
  number: fc.nat(30),
})

/** A payload of the supplier, sound or not, as text; many have one of few numbers, so that they meet. */
const textOf = ({ supplier }: BulkWorld, { original, changes, number }: Case): string => {
  const payload = JSON.parse(originals[original] ?? '{}') as Record<string, unknown>
  payload['import_supplier'] = supplier
  payload['external_account_number'] = `N-${number}`
  mutate(payload, changes)
  return JSON.stringify(payload)
}

const single = { bulkStage: endpoints.stageAccount, bulkValidate: endpoints.validateAccount } as const

/** What single requests answer, one after the other, in the form of lines. */
const oneByOne = async ({ raw, sending }: BulkWorld, name: keyof typeof single, texts: readonly string[]) => {
  const results: object[] = []
  for (const [index, text] of texts.entries()) {
    const answer = await raw.post(single[name].path, sending.token, JSON.parse(text))
    const warnings = Number(answer.headers['import-warnings-total'] ?? 0)
    results.push({
      line: index + 1,
      external_account_number: undefined,
      status: answer.status,
      ...(warnings > 0 && { warnings }),
      ...(answer.status >= 400 && { error: JSON.parse(answer.text) as unknown }),
    })
  }
  return results
}

for (const name of ['bulkValidate', 'bulkStage'] as const)
  test(`${name}: the result of each line is what the single request answers`, async (t) => {
    const bulk = await openBulkWorld(t)
    const alone = await openBulkWorld(t, { supplier: bulk.supplier })
    const texts = fc.sample(cases, runs(200)).map((each) => textOf(bulk, each))
    const { results } = await exchangeBulk(name, bulk.sending, texts.join('\n'))
    t.deepEqual(
      results.map((result) => ({ ...result, external_account_number: undefined })),
      (await oneByOne(alone, name, texts)) as typeof results,
    )
    t.true(new Set(results.map(({ status }) => status)).size > 1)
  })
