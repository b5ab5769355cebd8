/**
 * Where a value lies in the vendor's answer: a dotted path such as `card.brand`, or a JSON Pointer such as
 * `/data/0/card.brand`.
 */
export type FieldPath = string

/** True when the value at the path, as text, is one of these. */
export type FieldRule = Readonly<{ path: FieldPath; in: readonly string[] }>

/** Which field of the answer becomes which detail; each is left out where the answer lacks it. */
export type DetailPaths = Readonly<
  Partial<
    Record<
      | 'brand'
      | 'last4'
      | 'method'
      | 'country'
      | 'customer_id'
      | 'mandate_id'
      | 'status'
      /** `2031-01`, `2031-01-31`, `01/31` or `1/2031`; or the two below. */
      | 'expiry'
      | 'expiry_month'
      | 'expiry_year',
      FieldPath | undefined
    >
  >
>

/** How an answer with the status 200 is read. */
export type AnswerRules = Readonly<{
  /** The instruction can be used when this holds, and only then. */
  usable: FieldRule
  /** For vendors that answer 200 for what they do not know. */
  not_found?: FieldRule | undefined
  /** Which values at the path each type of instruction of ours may have; a type that is not listed is not usable. */
  type?: Readonly<{ path: FieldPath; of: Readonly<Record<string, readonly string[]>> }> | undefined
  /** Where the answer repeats the reference; another one there makes it no clear answer. */
  reference?: FieldPath | undefined
  details?: DetailPaths | undefined
}>
