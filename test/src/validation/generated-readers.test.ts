import { spawnSync } from 'node:child_process'
import test from 'ava'
import { checkAccountPayload, E } from '@account-import/core'
import { generateAccounts } from '@account-import/example-generate-accounts'
import { root } from '../support/repository.js'
import { contextWith } from './support.js'

const accounts = (): readonly Record<string, unknown>[] =>
  [...generateAccounts({ count: 50 })].map(
    ({ payload }) => JSON.parse(JSON.stringify(payload)) as Record<string, unknown>,
  )

/** How often a field of the account that no rule looks at is read while the account is judged. */
const readsOf = (account: Record<string, unknown>): number => {
  let reads = 0
  const { external_account_number: value } = account
  const counted = Object.defineProperty(account, 'external_account_number', {
    get: () => (reads++, value),
    enumerable: true,
  })
  checkAccountPayload(counted, contextWith())
  return reads
}

const node = (...args: readonly string[]): ReturnType<typeof spawnSync> =>
  spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })

test('the quick readers are what the generator makes of the codecs', (t) => {
  const { status, stderr } = node('scripts/generate-readers.mjs', '--check')
  t.is(status, 0, String(stderr))
})

test('accounts in order are read once, by the generated readers, others a second time by the codecs', (t) => {
  for (const account of accounts()) t.is(readsOf(account), 1)
  for (const { import_supplier, ...others } of accounts()) t.true(readsOf({ ...others, import_supplier }) > 1)
})

test('an account is the very object that was sent, if nothing is found in it', (t) => {
  for (const account of accounts()) {
    const checked = checkAccountPayload(account, contextWith())
    t.true(E.isRight(checked) && Object.is(checked.right.value, account))
  }
})

test('no code is made of texts at run time', (t) => {
  const program = `
    import { readFileSync } from 'node:fs'
    import { builtInSettings, checkAccountPayload } from '@account-import/core'
    const payload = JSON.parse(readFileSync(0, 'utf8'))
    const context = { settings: builtInSettings, defaultCountry: 'ES', today: '2025-09-01' }
    process.exitCode = checkAccountPayload(payload, context)._tag === 'Right' ? 0 : 1`
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program],
    { cwd: root, encoding: 'utf8', input: JSON.stringify(accounts()[0]) },
  )
  t.is(status, 0, stderr)
})
