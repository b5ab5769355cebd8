export type OfflineFailureKind =
  | 'input_unreadable'
  | 'not_one_account_a_line'
  | 'output_not_writable'
  | 'worker_failed'
  | 'interrupted'
  | 'service'

/** Why an offline run ended without a result; the message says what to do and holds no value of the payload. */
export class OfflineFailure extends Error {
  readonly kind: OfflineFailureKind

  constructor(kind: OfflineFailureKind, message: string) {
    super(message)
    this.name = 'OfflineFailure'
    this.kind = kind
  }
}

/** The system's word for what went wrong, such as `ENOSPC`, or the kind of error. */
export const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return typeof cause
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
}
