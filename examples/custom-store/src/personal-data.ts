import {
  portCall,
  type Account,
  type AccountDetails,
  type AccountKey,
  type Actor,
  type DuePayloads,
  type Erasure,
  type HeldData,
  type Instant,
  type PersonalData,
} from '@account-import/core'
import { accountKeyText, erasedDetails, isInProgress } from '@account-import/core/adapter-kit'
import { importOf, record } from './account-imports.js'
import { forgetNotes } from './account-notes.js'
import { eraseRunFailures, failuresOfAccount } from './import-runs.js'
import type { Access } from './turns.js'
import type { Rows, View } from './view.js'

type Row = Rows['imports']

const save = (view: View, row: Row): void => view.put('imports', accountKeyText(row.key), row)

const removePayloads = (view: View, due: DuePayloads): number => {
  const rows = view
    .rows('imports')
    .filter(
      ({ key, payload, created }) =>
        key.organisation === due.organisation &&
        key.importSupplier === due.importSupplier &&
        payload !== '' &&
        created !== undefined &&
        created.createdAt <= due.createdBy,
    )
    .toSorted((a, b) => ((a.created?.createdAt ?? '') < (b.created?.createdAt ?? '') ? -1 : 1))
    .slice(0, due.limit)
  for (const row of rows) {
    record(view, row, { at: due.at, what: 'staged_data_removed', by: due.by })
    save(view, { ...row, payload: '', payloadRemovedAt: due.at })
  }
  return rows.length
}

const answersOf = (view: View, key: AccountKey): readonly Rows['answers'][] =>
  view
    .rows('answers')
    .filter(
      ({ key: { organisation }, account }) =>
        organisation === key.organisation &&
        account?.importSupplier === key.importSupplier &&
        account.externalAccountNumber === key.externalAccountNumber,
    )
    .toSorted((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1))

const find = (view: View, key: AccountKey): HeldData | undefined => {
  const row = view.get('imports', accountKeyText(key))
  const answers = answersOf(view, key).flatMap(({ answer, expiresAt }) =>
    answer === undefined ? [] : [{ ...answer, expiresAt }],
  )
  const runFailures = failuresOfAccount(view, key).map(({ run: _run, ...failure }) => failure)
  if (row === undefined && answers.length === 0 && runFailures.length === 0) return undefined
  return {
    key,
    accountImport: row && importOf(row),
    firstStagedAt: row?.firstStagedAt,
    stagedAt: row?.stagedAt,
    payloadRemovedAt: row?.payloadRemovedAt,
    erasedAt: row?.erasedAt,
    payload: row?.payload === '' ? undefined : row?.payload,
    payloadHash: row?.payloadHash,
    account: view.get('accounts', accountKeyText(key)),
    email: view.get('emails', accountKeyText(key)),
    answers,
    runFailures,
  }
}

const erasedImport = ({ firstStagedAt, stagedAt, ...row }: Row, at: Instant): Row => {
  const erased = { ...row, payload: '', claim: undefined, erasedAt: at }
  if (row.created === undefined) return { ...erased, stagedVersion: 0, skipped: true }
  return {
    ...erased,
    ...(firstStagedAt && { firstStagedAt }),
    ...(stagedAt && { stagedAt }),
    payloadRemovedAt: row.payloadRemovedAt ?? at,
  }
}

/** All objects and lists of an account are members of it, so its lists give the number of removed items. */
const listsOf = (details: AccountDetails): readonly (readonly unknown[])[] => {
  const points = details.supply_addresses.flatMap(({ supply_points }) => supply_points)
  return [
    details.customers,
    details.supply_addresses,
    points,
    points.flatMap(({ agreements }) => agreements),
    details.statements,
    details.notes,
    details.payment_schedules,
    details.payment_instructions,
    details.references,
    details.metadata,
  ]
}

const transactionsOf = (details: AccountDetails): readonly unknown[] => [
  ...details.ledgers.flatMap((ledger) => [
    ...ledger.current_statement_transactions,
    ...ledger.historical_statement_transactions,
  ]),
  ...details.transactions_without_ledger,
]

const eraseAccount = (view: View, account: Account | undefined) => {
  if (account === undefined) return { rows: 0, transactions: 0 }
  const details = erasedDetails(account.details)
  const left = transactionsOf(details).map((each) => JSON.stringify(each))
  forgetNotes(view, account)
  view.put('accounts', accountKeyText(account.key), { ...account, details })
  return {
    rows: listsOf(account.details).reduce((sum, { length }) => sum + length, 0),
    transactions: transactionsOf(account.details).filter((each, at) => JSON.stringify(each) !== left[at])
      .length,
  }
}

/** Whether a relay holds the lease of the account's e-mail. */
export const isEmailBeingSent = (view: View, key: AccountKey, at: Instant): boolean => {
  const state = view.get('emails', accountKeyText(key))?.state
  return state?._tag === 'sending' && state.leaseEndsAt > at
}

export const eraseEmail = (view: View, key: AccountKey): number => {
  const email = view.get('emails', accountKeyText(key))
  if (email === undefined) return 0
  view.put('emails', accountKeyText(key), null)
  view.put('emailIds', email.id, null)
  return 1
}

export const eraseAnswers = (view: View, key: AccountKey): number => {
  const answers = answersOf(view, key)
  for (const answer of answers)
    view.put('answers', JSON.stringify([answer.key.organisation, answer.key.request]), null)
  return answers.length
}

const eraseNeverStaged = (view: View, key: AccountKey): Erasure => {
  const answers = eraseAnswers(view, key)
  const runFailures = eraseRunFailures(view, key)
  const removed = { payloads: 0, rows: 0, transactions: 0, emails: 0, answers, runFailures }
  return answers + runFailures === 0 ? { _tag: 'unknown' } : { _tag: 'erased', removed }
}

const erase = (view: View, key: AccountKey, at: Instant, by: Actor | undefined): Erasure => {
  const name = accountKeyText(key)
  const row = view.get('imports', name)
  if (row === undefined) return eraseNeverStaged(view, key)
  if (isInProgress(row, at)) return { _tag: 'in_progress' }
  if (isEmailBeingSent(view, key, at)) return { _tag: 'email_being_sent' }
  record(view, row, { at, what: 'erased', by })
  save(view, erasedImport(row, at))
  const emails = eraseEmail(view, key)
  const answers = eraseAnswers(view, key)
  const removed = eraseAccount(view, view.get('accounts', name))
  const payloads = row.payload === '' ? 0 : 1
  const runFailures = eraseRunFailures(view, key)
  return { _tag: 'erased', removed: { payloads, ...removed, emails, answers, runFailures } }
}

const call = portCall('personalData')

/** Erased data remains in the earlier lines of the file until the file is written again: open it again after an erasure. */
export const personalData = ({ read, change }: Access): PersonalData => ({
  removePayloads: (due) => call('removePayloads', () => change((view) => removePayloads(view, due))),
  find: (key) => call('find', () => read((view) => find(view, key))),
  erase: (key, at, by) => call('erase', () => change((view) => erase(view, key, at, by))),
})
