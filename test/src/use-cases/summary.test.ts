import test from 'ava'
import { plusSeconds } from '@account-import/core/testing'
import { gasKey, organisation, refusalOf, right, service, settableClock } from './support/service.js'

const keyOf = (externalAccountNumber: string) => ({ ...gasKey, externalAccountNumber })

/** A service in which imports are staged, claimed, and given up with failures, as a test wants. */
const withImports = async () => {
  const clock = settableClock()
  const { ports, useCases } = await service({ clock })
  const { accountImports } = ports
  const stage = (number: string) =>
    right(accountImports.stage([{ key: keyOf(number), payload: '{}', at: clock.now() }]))
  const claim = (number: string, seconds = 60) => {
    const at = clock.now()
    const expiresAt = plusSeconds(at, seconds)
    return right(
      accountImports.claim([{ key: keyOf(number), token: number, at, expiresAt, countsAsAttempt: true }]),
    )
  }
  const fail = async (number: string, code: string) => {
    await stage(number)
    await claim(number)
    await right(
      accountImports.release([{ key: keyOf(number), token: number, failure: { code, at: clock.now() } }]),
    )
  }
  const skip = (number: string, skipped: boolean) =>
    right(accountImports.setSkipped(keyOf(number), skipped, clock.now()))
  const summary = () =>
    right(useCases.accountImportSummary({ organisation, importSupplier: gasKey.importSupplier }))
  return { clock, ports, useCases, stage, claim, fail, skip, summary }
}

const none = { staged: 0, inProgress: 0, created: 0, skipped: 0, failed: 0, errors: [] }

test('the summary of a supplier without imports counts none', async (t) => {
  const { summary, useCases } = await withImports()
  t.deepEqual(await summary(), none)
  const elsewhere = useCases.accountImportSummary({ organisation, importSupplier: 'NOBODY' })
  t.is(await refusalOf(elsewhere), 'SupplierNotFound')
})

test('an import is in one state: skipped before staged, in progress as long as its claim lasts', async (t) => {
  const { clock, claim, skip, stage, summary } = await withImports()
  for (const number of ['A', 'B', 'C']) await stage(number)
  await claim('A', 10)
  await skip('B', true)
  await skip('NEVER STAGED', true)
  await skip('FORGOTTEN', true)
  await skip('FORGOTTEN', false)
  t.deepEqual(await summary(), { ...none, staged: 1, inProgress: 1, skipped: 2 })
  clock.pass(9)
  t.is((await summary()).inProgress, 1)
  clock.pass(1)
  t.deepEqual(await summary(), { ...none, staged: 2, skipped: 2 })
})

test('failures are counted among the staged ones by their codes: the most frequent first, then by code', async (t) => {
  const { claim, fail, skip, stage, summary } = await withImports()
  await stage('FINE')
  for (const [index, code] of ['d', 'c', 'a', 'c', 'b', 'b'].entries()) await fail(`N-${index}`, code)
  await fail('SKIPPED', 'a')
  await skip('SKIPPED', true)
  await fail('TAKEN', 'a')
  await claim('TAKEN')
  t.deepEqual(await summary(), {
    ...none,
    staged: 7,
    inProgress: 1,
    skipped: 1,
    failed: 6,
    errors: [
      { code: 'b', count: 2 },
      { code: 'c', count: 2 },
      { code: 'a', count: 1 },
      { code: 'd', count: 1 },
    ],
  })
})

test('a page of a list says what comes next only where there is more', async (t) => {
  const { stage, useCases } = await withImports()
  for (const number of ['A', 'B', 'C']) await stage(number)
  const page = async (after: string | undefined, limit: number) => {
    const list = { organisation, importSupplier: gasKey.importSupplier, list: 'pending' as const }
    const { items, next } = await right(useCases.accountImportsPage({ ...list, after, limit }))
    return [items.map(({ externalAccountNumber }) => externalAccountNumber), next]
  }
  t.deepEqual(await page(undefined, 2), [['A', 'B'], 'B'])
  t.deepEqual(await page('B', 2), [['C'], undefined])
  t.deepEqual(await page(undefined, 3), [['A', 'B', 'C'], undefined])
  t.deepEqual(await page('C', 2), [[], undefined])
})
