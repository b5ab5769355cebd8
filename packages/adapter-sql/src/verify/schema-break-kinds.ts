import type { BreakGuide } from './break-guide.js'

/** What can be wrong with the database as a whole. */
export const schemaBreakKinds = {
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
