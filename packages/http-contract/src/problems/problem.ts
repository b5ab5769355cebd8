import type { ErrorCode, FieldError } from '@account-import/core'
import { detailOf } from '@account-import/core'
import type { ProblemBody } from './problem-body.js'

/** The body of a refusal as this service writes it: its codes are codes of the catalogue, not just any text. */
export type WrittenBody = Omit<ProblemBody, 'code' | 'errors'> &
  Readonly<{ code: ErrorCode; errors: readonly FieldError[] }>

/** A refusal as HTTP answers it. */
export type Problem = Readonly<{
  status: number
  body: WrittenBody
  headers: Readonly<Record<string, string>>
}>

type Parts = Readonly<{
  /** Texts for the placeholders of the detail, from the contract, never from a payload. */
  params?: Readonly<Record<string, string | number>>
  errors?: readonly FieldError[]
  extras?: Omit<ProblemBody, 'detail' | 'code' | 'errors'>
  headers?: Readonly<Record<string, string>>
}>

const none: Readonly<Record<string, string>> = {}

/** The body that all problems share, with the detail of the catalogue. */
export const problem = (status: number, code: ErrorCode, parts: Parts = {}): Problem => ({
  status,
  body: { detail: detailOf(code, parts.params), code, errors: parts.errors ?? [], ...parts.extras },
  headers: parts.headers ?? none,
})

/** Seconds, whole and at least 1. */
export const retryAfter = (seconds: number): Readonly<Record<string, string>> => ({
  'Retry-After': String(Math.max(1, Math.ceil(seconds))),
})
