import type { BreakGuide } from './break-guide.js'

const again = 'Stage the account again from the source system.'
const restore = 'Restore the account from a backup.'

/** What can be wrong with an import and its account. */
export const importBreakKinds = {
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
} as const satisfies Readonly<Record<string, BreakGuide>>
