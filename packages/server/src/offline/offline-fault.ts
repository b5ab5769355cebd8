export type OfflineFaultKind =
  | 'input_unreadable'
  | 'not_one_account_a_line'
  | 'output_not_writable'
  | 'worker_failed'
  | 'interrupted'

/** Why an offline run ended without a result; the message says what to do and holds no value of the payload. */
export class OfflineFault extends Error {
  readonly kind: OfflineFaultKind

  constructor(kind: OfflineFaultKind, message: string) {
    super(message)
    this.name = 'OfflineFault'
    this.kind = kind
  }
}

/** The system's word for what went wrong, such as `ENOSPC`, or the kind of error. */
export const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return typeof cause
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
}
