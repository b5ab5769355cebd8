import type { Account, AccountNote, AccountPaymentInstruction } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'

const noteJson = ({ created_at, unpin_at, ...note }: AccountNote) => ({
  ...note,
  created_at: toWireDatetime(created_at),
  ...(unpin_at === undefined ? {} : { unpin_at: toWireDatetime(unpin_at) }),
})

const instructionJson = ({ created_at, ...instruction }: AccountPaymentInstruction) => ({
  ...instruction,
  created_at: toWireDatetime(created_at),
})

/** An account as `--json` shows it: the wire names of the payload inside `details`. */
export const accountJson = (account: Account) => ({
  import_supplier: account.key.importSupplier,
  external_account_number: account.key.externalAccountNumber,
  organisation: account.key.organisation,
  platform_account_number: account.platformAccountNumber,
  operations_team: account.operationsTeam,
  staged_version: account.stagedVersion,
  created_at: toWireDatetime(account.createdAt),
  details: {
    ...account.details,
    notes: account.details.notes.map(noteJson),
    payment_instructions: account.details.payment_instructions.map(instructionJson),
  },
})
