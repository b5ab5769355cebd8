import type { AccountPayload } from '@account-import/core'
import { accountFromPayload } from '@account-import/core/adapter-kit'
import type { ExecutionContext } from 'ava'
import { answer } from '../../support/answers.js'
import { successOf } from '../../support/results.js'
import { sample, type JsonObject } from '../../support/samples.js'
import type { Journey } from '../support/journey.js'
import type { World } from '../support/world.js'

/** As sent, but amounts of transactions as text with two places; an object with an `amount` and an id is one. */
const withTextAmounts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withTextAmounts)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [
    key,
    withTextAmounts(inner),
  ])
  const copy = Object.fromEntries(entries)
  return 'transaction_id' in copy ? { ...copy, amount: Number(copy['amount']).toFixed(2) } : copy
}

/** Compares the account in the stores with the staged data. */
const storedAsStaged = async (
  t: ExecutionContext,
  { stores, team, key }: World,
  account: JsonObject,
  platformAccountNumber: string,
): Promise<void> => {
  const accountKey = key(String(account['external_account_number']))
  const [staged] = await answer(stores.accountImports.staged([accountKey]))
  t.deepEqual<unknown, unknown>(JSON.parse(staged?.payload ?? ''), account, 'what was staged')
  const stored = await answer(stores.accounts.find(accountKey))
  if (stored === undefined) return t.fail('there is no account')
  const { createdAt } = stored
  t.deepEqual<unknown, unknown>(stored, {
    key: accountKey,
    platformAccountNumber,
    operationsTeam: team,
    stagedVersion: 2,
    createdAt,
    details: accountFromPayload(account as unknown as AccountPayload, createdAt),
  })
}

const becomesAnAccount = async (t: ExecutionContext, world: World, account: JsonObject): Promise<void> => {
  const { client, supplier, process } = world
  const number = String(account['external_account_number'])
  const pair = { import_supplier: supplier, external_account_number: number }
  const validated = successOf(await client.validateAccount(account))
  t.deepEqual<unknown, unknown>(validated.body, withTextAmounts(account), 'the echo')
  t.is(validated.warningsTotal, 0)
  for (const status of [201, 200]) {
    const staged = successOf(await client.stageAccount(account))
    t.deepEqual<unknown, unknown>([staged.status, staged.body], [status, pair])
  }
  const before = successOf(await client.transferStatus(supplier, number))
  t.deepEqual(before.body, { status: 'UNKNOWN', platform_account_number: '', attempts: 0 })
  const processed = successOf(await process(number))
  t.is(processed.status, 201)
  const { platform_account_number } = processed.body
  t.regex(platform_account_number, /^[A-Z0-9-]{1,32}$/)
  const after = successOf(await client.transferStatus(supplier, number))
  t.deepEqual(after.body, { status: 'COMPLETED', platform_account_number, attempts: 1 })
  await storedAsStaged(t, world, account, platform_account_number)
}

/** Accounts are checked, staged, processed and listed. */
export const importJourneys: readonly Journey[] = [
  {
    title: 'both sample accounts, exactly as they are, are validated, staged, restaged, processed and listed',
    run: async (t, open) => {
      const world = await open({ supplier: 'LEVANTE' })
      const { client, supplier } = world
      const accounts = [sample('electricity-account.json'), sample('gas-account.json')]
      for (const account of accounts) await becomesAnAccount(t, world, account)
      const [all, pending, imported] = await Promise.all(
        (['all', 'pending', 'imported'] as const).map(async (list) =>
          successOf(await client.listAccountImports({ importSupplier: supplier, list })),
        ),
      )
      t.deepEqual(pending?.body, [])
      t.deepEqual(imported?.body, all?.body)
      t.deepEqual<unknown, unknown>(
        all?.body.map((item) => item.external_account_number),
        accounts.map((account) => account['external_account_number']),
      )
      for (const item of all?.body ?? []) {
        t.regex(item.account_created_at ?? '', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
        const { body } = successOf(await client.transferStatus(supplier, item.external_account_number))
        t.is(item.platform_account_number, body.platform_account_number)
      }
    },
  },
]
