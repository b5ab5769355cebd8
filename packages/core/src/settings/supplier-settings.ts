import type { RuleSettings } from './rule-settings.js'

/** Everything an operator configures for a supplier. */
export type SupplierSettings = RuleSettings &
  Readonly<{
    /**
     * Prefix of every document path of the supplier, inside the bucket; empty for the bucket itself. It never meets the root of
     * another organisation's supplier: neither is it the same, nor does one lie in the other.
     */
    documentRoot: string
    /** Whether customers get an e-mail when their account has been created. */
    migrationEmails: boolean
    /** ISO 639 code of the language of these e-mails, such as `ca`; absent: by the country of the account. */
    emailLanguage?: string
    /** Days that staged data is kept after its account was created; absent: for ever. */
    retentionDays?: number
  }>
