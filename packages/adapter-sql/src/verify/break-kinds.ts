/** What a break means, and what an operator does about it; for people. */
type BreakGuide = Readonly<{ means: string; fix: string }>

const again = 'Stage the account again from the source system.'
const restore = 'Restore the account from a backup.'

/** Everything that `verify` can find, in the order of the reference: what it means and what an operator does about it. */
export const breakKinds = {
  import_state_wrong: {
    means: 'The state of the import is not what its other columns say, so lists and counts are wrong.',
    fix: 'Look at the row; where the other columns are right, correct `state`.',
  },
  staged_data_missing: {
    means:
      'The import counts stagings, and the times of the stagings are not there, or its data is not and was never removed.',
    fix: `${again} Where the account exists already: ${restore.toLowerCase()}`,
  },
  staged_data_unexpected: {
    means:
      'There is data, or a time of a staging, and nothing was ever staged; or data was removed, and is there or was needed still.',
    fix: again,
  },
  staged_data_unreadable: {
    means: 'The staged data is no account in JSON, or what is encrypted was changed.',
    fix: again,
  },
  staged_data_of_another: {
    means: 'The staged data names another import supplier or external account number than its row.',
    fix: `${again} Nothing is to be processed before.`,
  },
  claim_incomplete: {
    means: 'The import has a claim without an end, or the end of a claim without a claim.',
    fix: 'Set `claim_token` and `claim_expires_at` to NULL.',
  },
  claim_misplaced: {
    means: 'There is a claim on an import that is created, skipped or not staged.',
    fix: 'Set `claim_token` and `claim_expires_at` to NULL and `holds_slot` to 0.',
  },
  claim_never_ends: {
    means:
      'A claim ends later than any claim that is taken now: the account can be neither staged nor processed.',
    fix: 'Correct the clocks of the servers, then set `claim_token` and `claim_expires_at` to NULL.',
  },
  claim_abandoned: {
    means: 'A claim ended more than a day ago, and nobody took the account up again. Its status is pending.',
    fix: 'Process the account again, or stage it again: both end the claim.',
  },
  failure_incomplete: {
    means: 'A code of a failure without its time, or the other way round, or either on a created import.',
    fix: 'Set `latest_failure_code` and `latest_failure_at` to NULL.',
  },
  creation_incomplete: {
    means: 'Of number, time and version of the creation some are there and some are not.',
    fix: 'Take them from the row of the account where it exists; else set all three to NULL.',
  },
  completed_without_account: {
    means: 'The import is completed, and there is no account for it.',
    fix: restore,
  },
  account_without_import: {
    means: 'There is an account, and no import that it was created from.',
    fix: 'Restore the import from a backup. Do not stage the number again before: it would be created twice.',
  },
  account_of_unfinished_import: {
    means: 'There is an account, and its import is not completed: it could be created a second time.',
    fix: 'Mark the import with `skip` at once; then complete it with number, time and version of its account.',
  },
  several_accounts: {
    means: 'One import has more than one account.',
    fix: 'Mark those that are not the number of the import as wrong where they are used; then delete their rows.',
  },
  account_number_differs: {
    means: 'The import names another platform account number than its account has.',
    fix: 'Find out which number was told (`--mapping`, access logs), and correct the other.',
  },
  creation_differs: {
    means: 'Import and account disagree about when, or from which version of the data, it was created.',
    fix: restore,
  },
  email_without_account: {
    means: 'There is an e-mail to the customers of an account that does not exist.',
    fix: 'Restore the account, or delete the e-mail before a relay sends it.',
  },
  email_number_differs: {
    means: 'The e-mail names another platform account number than its account has.',
    fix: 'Correct `platform_account_number`; if it was sent, tell the customers.',
  },
  email_state_wrong: {
    means: 'State, due time, lease and end of an e-mail do not go together: no relay may ever take it.',
    fix: 'Look at the row; `outbox retry` works once `state`, `due_at` and `settled_at` go together.',
  },
  document_differs: {
    means: 'The details of an account are not what was staged; `columns` names those that differ.',
    fix: restore,
  },
  details_unreadable: {
    means:
      'The details of an account are no JSON, or what is encrypted of it, or its data key, was changed or is not there.',
    fix: restore,
  },
  item_missing: { means: 'Items that were staged are not there.', fix: restore },
  item_unexpected: {
    means: 'There are items that were not staged, in a place to which nothing can be added.',
    fix: restore,
  },
  item_differs: { means: 'Items do not hold what was staged.', fix: restore },
  item_unreadable: {
    means: 'The content of an item that was added after the creation is not what its kind is for.',
    fix: `${restore} Then send the addition again.`,
  },
  sum_differs: {
    means: 'The transactions of a ledger that were staged do not add up to what was staged.',
    fix: restore,
  },
  identity_differs: {
    means: 'An item is known by another identity or copy than its content has, so it can be added twice.',
    fix: 'Restore the item from a backup.',
  },
  copies_wrong: {
    means:
      'The copies of a transaction id are not numbered from 0 on: it can be added twice, or not any more.',
    fix: 'Number `copy` again, in the order of the items.',
  },
  ordinal_gap: { means: 'The places of the items of a kind have a hole, so one may be lost.', fix: restore },
  ordinal_twice: {
    means: 'Two items of a kind stand at one place: the primary key of the table is missing.',
    fix: 'Delete the wrong row, and make the primary key again.',
  },
  item_without_account: {
    means: 'There are items of an account that does not exist.',
    fix: 'Restore the account.',
  },
  supplier_unknown: {
    means: 'There are rows of an import supplier that is not registered for this organisation.',
    fix: 'Restore the register, or make the supplier again with `supplier create`.',
  },
  organisation_unknown: {
    means: 'The organisation of an import supplier is not registered.',
    fix: 'Make it again with `organisation create`.',
  },
  team_unknown: {
    means: 'The operations team of an account is not registered.',
    fix: 'Make it again with `team create`.',
  },
  unique_key_missing: {
    means: 'A key that keeps things from being there twice is not there; nothing guards it now.',
    fix: 'Stop the servers. Remove what is there twice, make the key again, and verify once more.',
  },
  platform_number_twice: {
    means: 'A platform account number names more than one account.',
    fix: 'Give one of them another number, in all its rows and in its import, and make the key again.',
  },
  slot_never_ends: {
    means:
      'A slot of the processing limit is taken without end: fewer accounts are processed at once than may be.',
    fix: 'Set `claim_token` and `expires_at` of the slot to NULL.',
  },
} as const satisfies Readonly<Record<string, BreakGuide>>

/** Stable, for programs. */
export type BreakKind = keyof typeof breakKinds

/** Two things in the database that do not agree. Names where, and never holds a value of a payload. */
export type Break = Readonly<{
  kind: BreakKind
  /** Absent where it is about the whole database. */
  organisation?: string
  importSupplier?: string
  externalAccountNumber?: string | undefined
  platformAccountNumber?: string | undefined
  table?: string
  /** The columns, or fields of the details, that differ; or the columns of the missing key. */
  columns?: readonly string[]
  /** How many rows of the table it is about. */
  rows?: number
}>
