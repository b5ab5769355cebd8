import type { FailedLine } from '@account-import/client'
import type { FieldError } from '@account-import/core'
import type { ImportLine } from './import-line.js'

/** What became of an account; `existing` was created before this run. */
export const lineStates = ['valid', 'staged', 'created', 'existing', 'failed'] as const
export type LineState = (typeof lineStates)[number]

/** What became of one line. */
export type LineOutcome = Readonly<{
  line: ImportLine
  state: LineState
  /** Empty unless it failed. */
  errors: readonly FieldError[]
  /** Of an account that exists. */
  platformAccountNumber?: string | undefined
}>

/** The errors of the fields, or the refusal as a whole. */
export const errorsOf = ({ problem }: FailedLine): readonly FieldError[] =>
  problem.errors.length > 0 ? problem.errors : [{ detail: problem.detail, code: problem.code, attr: '' }]
