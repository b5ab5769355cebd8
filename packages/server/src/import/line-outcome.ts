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

/** A text that asks for the request id, with it. */
export const withRequestId = (detail: string, requestId: string | undefined): string =>
  requestId && /request id/i.test(detail) ? `${detail} The request id is ${requestId}.` : detail

/** The errors of the fields, or the refusal as a whole. */
export const errorsOf = ({ problem }: FailedLine): readonly FieldError[] =>
  problem.errors.length > 0
    ? problem.errors
    : [{ detail: withRequestId(problem.detail, problem.request_id), code: problem.code, attr: '' }]
