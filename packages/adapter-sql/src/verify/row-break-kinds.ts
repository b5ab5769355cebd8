import type { BreakGuide } from './break-guide.js'

const restore = 'Restore the rows of the account from a backup.'

/** What can be wrong with the rows that an account consists of. */
export const rowBreakKinds = {
  row_missing: { means: 'Rows that were staged are not there.', fix: restore },
  row_unexpected: {
    means: 'There are rows that were not staged, in a list to which nothing can be added.',
    fix: restore,
  },
  row_differs: { means: 'Columns do not hold what was staged.', fix: restore },
  amount_differs: { means: 'Amounts of money or balances are not those that were staged.', fix: restore },
  sum_differs: {
    means: 'The transactions of a ledger that were staged do not add up to what was staged.',
    fix: restore,
  },
  row_unreadable: {
    means: 'A row that was added after the creation does not hold the JSON that its columns are for.',
    fix: `${restore} Then send the addition again.`,
  },
  details_unreadable: {
    means: 'What is encrypted of an account, or its data key, was changed, or is not there.',
    fix: restore,
  },
  ordinal_gap: { means: 'The places of a list have a hole, so a row may be lost.', fix: restore },
  ordinal_twice: {
    means: 'Two rows stand at one place of a list: the primary key of the table is missing.',
    fix: 'Delete the wrong row, and make the primary key again.',
  },
  row_without_parent: {
    means:
      'A supply point without its address, an agreement without its supply point, or a transaction without its ledger.',
    fix: restore,
  },
  row_without_account: {
    means: 'There are rows of an account that does not exist.',
    fix: 'Restore the account.',
  },
  copies_wrong: {
    means:
      'The copies of a transaction id are not numbered from 0 on: it can be added twice, or not any more.',
    fix: 'Number `copy` again, in the order of the rows.',
  },
  note_digest_differs: {
    means:
      'The digest or the time that a note is known by is not that of its content, so it can be added twice.',
    fix: 'Restore the note from a backup.',
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
} as const satisfies Readonly<Record<string, BreakGuide>>
