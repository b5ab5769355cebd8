import type { emailBreakKinds } from './email-break-kinds.js'
import type { AccountOfImport } from './import-breaks.js'

type Kind = keyof typeof emailBreakKinds

/** What is read of an e-mail; whatever the columns hold. */
export type VerifiedEmail = Readonly<{
  external_account_number: string
  platform_account_number: string
  state: string
  due_at: string | null
  claim_token: string | null
  settled_at: string | null
}>

const isWhole = ({ state, due_at, claim_token, settled_at }: VerifiedEmail): boolean =>
  state === 'waiting'
    ? due_at !== null && settled_at === null
    : (state === 'sent' || state === 'parked') &&
      due_at === null &&
      claim_token === null &&
      settled_at !== null

/** What does not go together in an e-mail, and between it and the accounts of its import. */
export const emailBreaks = (email: VerifiedEmail, accounts: readonly AccountOfImport[]): readonly Kind[] => {
  const breaks: Kind[] = isWhole(email) ? [] : ['email_state_wrong']
  if (accounts.length === 0) breaks.push('email_without_account')
  else if (accounts.every((each) => each.platform_account_number !== email.platform_account_number))
    breaks.push('email_number_differs')
  return breaks
}
