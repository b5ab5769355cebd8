/** The effect of a rule for a supplier: refuses the data, warns, or reports nothing. */
export const severities = ['error', 'warn', 'off'] as const
export type Severity = (typeof severities)[number]

/** A list that the operator closed for a supplier: any other value gets `not_in_supplier_list`. */
export type ClosedList = Readonly<{ members: readonly string[]; severity: 'error' | 'warn' }>

/** Settings that the validation rules read. */
export type RuleSettings = Readonly<{
  severities: Readonly<Record<string, Severity>>
  closedLists: Readonly<Record<string, ClosedList>>
  internalEmailDomains: readonly string[]
  /** Names of the markets whose rules apply besides the common ones; if empty, only the common rules apply. */
  markets: readonly string[]
}>

/** Everything an operator configures for a supplier. */
export type SupplierSettings = RuleSettings &
  Readonly<{
    /**
     * Prefix of every document path of the supplier, inside the bucket; empty for the bucket itself. It never equals, contains or
     * lies in the root of another organisation's supplier.
     */
    documentRoot: string
    /** Whether customers get an e-mail when their account has been created. */
    migrationEmails: boolean
    /** ISO 639 code of the language of these e-mails, such as `ca`; absent: by the country of the account. */
    emailLanguage?: string
    /** Days that staged data is kept after its account was created; absent: for ever. */
    retentionDays?: number
  }>
