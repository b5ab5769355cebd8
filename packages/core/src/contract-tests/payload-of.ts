import type { AccountDetails, AccountNote } from '../domain/account-details.js'
import { accountFromPayload } from '../domain/account-from-payload.js'
import type { Account } from '../domain/account.js'
import type { AccountPayload } from '../payloads/account.js'
import { toWireDatetime } from '../values/instant.js'
import { equal } from './contract-case.js'

/** A note of a payload: times to the second; the time of the account's creation is the default. */
const sentNote = ({ created_at, unpin_at, ...rest }: AccountNote, createdAt: string): object => ({
  ...rest,
  ...(created_at !== createdAt && { created_at: toWireDatetime(created_at) }),
  ...(unpin_at !== undefined && { unpin_at: toWireDatetime(unpin_at) }),
})

/** The JSON text of a payload that gives the account. Throws for details that no payload gives. */
export const payloadOf = ({ key, createdAt, details }: Account): string => {
  const {
    notes,
    transactions_without_ledger: _others,
    payment_instructions: _instructions,
    ...rest
  } = details
  const payload = JSON.stringify({
    import_supplier: key.importSupplier,
    external_account_number: key.externalAccountNumber,
    ...rest,
    notes: notes.map((note) => sentNote(note, createdAt)),
  })
  const given: AccountDetails = accountFromPayload(JSON.parse(payload) as AccountPayload, createdAt)
  equal(given, details, 'a payload gives the details of the account')
  return payload
}
