/** The facts of an account that are compared with those of the other accounts of its file. */
export type LineFacts = Readonly<{
  /** Two halves of a hash of each supply point with its supplier, one after the other. */
  points: readonly number[]
  /** For each of `differingFields` the hashes of its values, each once. */
  values: readonly ReadonlySet<number>[]
  /** Ledgers with a balance below and above zero. */
  debts: number
  credits: number
  /** For each of `datedFields`: whether there is a date, one in the future, one that is too early. */
  dates: readonly Readonly<{ given: boolean; future: boolean; early: boolean }>[]
}>

/** Accounts, and the first lines that have them. */
export type Places = { accounts: number; readonly lines: number[] }

/** Accounts with a date at a field, and those whose date lies in the future or too early. */
export type DateCount = { accounts: number; readonly future: Places; readonly early: Places }

/** The facts of the accounts of one batch, to be compared with those of other batches. */
export type BatchFacts = Readonly<{
  /** The account number of each line, one a line. */
  numbers: string
  /** Three numbers for each supply point: two halves of its hash, and its line minus `firstLine`. */
  points: Uint32Array<ArrayBuffer>
  /** For each of `differingFields` two numbers a value: its hash, and its line minus `firstLine`. */
  values: readonly Uint32Array<ArrayBuffer>[]
  debts: number
  credits: number
  dates: readonly Readonly<DateCount>[]
}>
