import type { BreakGuide } from './break-guide.js'

/** What can be wrong in the outbox. */
export const emailBreakKinds = {
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
} as const satisfies Readonly<Record<string, BreakGuide>>
