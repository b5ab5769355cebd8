import type { ServiceResult, SupplierSettings } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { answer } from '../../support/answers.js'
import {
  newAccount,
  newNumbers,
  nobody,
  serviceCalls,
  type ServiceCall,
} from '../../use-cases/support/service-calls.js'
import { type ServiceFixture, valueOf } from '../../use-cases/support/service-fixture.js'
import { gasKey, organisation, processGas, sample } from '../../use-cases/support/service.js'
import { movedTransactions, sentAddition } from '../loads/additions.js'
import { emptyTally, type SentAddition, type Tally } from '../loads/tally.js'

/** Transactions of a closed period, which get a pinned note. */
const moved = ['T-0', 'T-1']

/** E-mails are off, so that each account is created by one change of the store. */
const withoutEmails = async ({ imports }: ServiceFixture): Promise<void> => {
  const change = (settings: SupplierSettings) => ({ ...settings, migrationEmails: false })
  valueOf(await imports.operator.configureSupplier({ code: gasKey.importSupplier, change }))
}

const withoutReaders = Object.fromEntries(
  (['processAccount', 'bulkProcess', 'bulkImport'] as const).map((name): [string, ServiceCall] => {
    const { given, ...call } = serviceCalls[name]
    const before = async (fixture: ServiceFixture) => {
      await withoutEmails(fixture)
      await given?.(fixture)
    }
    return [`${name}, without e-mails`, { ...call, given: before }]
  }),
)

/** Calls besides `serviceCalls`. */
export const moreCalls: Readonly<Record<string, ServiceCall>> = {
  ...withoutReaders,
  'addTransactions, moved': {
    succeeds: ({ imports }) =>
      imports.addTransactions({ organisation, payload: movedTransactions(gasKey, moved) }),
  },
  'processAccount, dry run': {
    given: ({ imports }) => imports.stageAccount({ organisation, payload: newAccount('NEW') }),
    succeeds: async ({ imports }) => {
      const payload = { ...processGas, external_account_number: 'NEW', dry_run: true }
      const tried = await imports.processAccount({ organisation, payload })
      return !tried.ok && tried.refusal._tag === 'DryRunSucceeded' ? { ok: true, value: undefined } : tried
    },
  },
}

type Items = readonly Readonly<Record<string, unknown>>[]

const itemsIn = (name: string, list: string): Items => sample(name)[list] as Items

const transactions = itemsIn('transactions', 'transactions')

const cents = transactions.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0)

/** Items of one kind that are added to the gas account, each identified by this field. */
const adding = (kind: string, items: Items, field: string, sum = 0): SentAddition => ({
  key: gasKey,
  items: items.map((item) => `${kind} ${String(item[field])}`),
  cents: BigInt(sum),
})

/** The arguments of the use cases that add data to accounts, by the name of the call. */
const additions: Readonly<Record<string, SentAddition>> = {
  addNotes: adding('note', itemsIn('notes', 'notes'), 'body'),
  addTransactions: adding('transaction', transactions, 'transaction_id', cents),
  'addTransactions, moved': sentAddition(gasKey, 'moved', moved),
  addHistoricalStatements: adding(
    'statement',
    itemsIn('historical-statements', 'statements'),
    'statement_id',
  ),
  addPaymentInstruction: adding('instruction', [sample('payment-instruction')], 'reference'),
}

/** The requests of one of the service calls on a fixture, and the data that its responses acknowledge. */
export type SentBy = Readonly<{
  tally: Tally
  /** `undefined`: no response arrived. */
  note(result: ServiceResult<unknown, unknown> | undefined): void
}>

export const sentBy = async ({ ports }: ServiceFixture, name: string): Promise<SentBy> => {
  const tally = emptyTally([nobody])
  const created = await answer(ports.accounts.find(gasKey))
  if (name !== 'undoAccounts') tally.told.set(accountKeyText(gasKey), String(created?.platformAccountNumber))
  tally.stage(gasKey, sample('gas-account'))
  const keyOf = (externalAccountNumber: string) => ({ ...gasKey, externalAccountNumber })
  // The allowed number of repeats of the call.
  for (let times = 0; times < 4; times += 1)
    for (const number of newNumbers) tally.stage(keyOf(number), newAccount(number))
  const addition = additions[name]
  if (addition !== undefined) tally.add(addition)
  const note = (result: ServiceResult<unknown, unknown> | undefined): void => {
    tally.counts.requests += 1
    if (result?.ok !== true) return
    tally.counts.acknowledged += 1
    if (addition !== undefined) tally.settle(addition)
    const { value } = result
    if (name.startsWith('processAccount') && typeof value === 'object' && value !== null)
      if ('platformAccountNumber' in value)
        tally.told.set(accountKeyText(keyOf('NEW')), String(value.platformAccountNumber))
  }
  return { tally, note }
}
