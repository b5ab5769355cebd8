import type { Actor, LineElsewhere, OpenRun } from '@account-import/core'
import type { Asked } from '@account-import/http-contract'
import type { RequestRecord } from '../context.js'

/** A request with a long body, admitted and decoded but for its body; it can be sent to another thread. */
export type LongRequest = Asked &
  Readonly<{
    /** The path pattern of the endpoint, which has one body of JSON and one answer. */
    route: string
    requestId: string
    bytes: Uint8Array
  }>

/** How it is answered, what the log is to say of it, and which account it is about; it can be sent back. */
export type LongAnswer = Readonly<{
  status: number
  headers: Readonly<Record<string, string>>
  body: string
  notes: Pick<RequestRecord, 'account' | 'changesNothing' | 'code' | 'errors' | 'failure'>
}>

/** A long line of a bulk request; it can be sent to another thread. */
export type LongLine = Readonly<{
  organisation: string
  by: Actor
  /** The import run of its request; what becomes of the line is kept on it here. */
  run: OpenRun | undefined
  bytes: Uint8Array
}>

/** Work that may be done elsewhere, by name: its input and output can be sent from thread to thread. */
export type LongWork = {
  answer: (request: LongRequest) => Promise<LongAnswer>
  bulkValidate: (line: LongLine) => ReturnType<LineElsewhere['bulkValidate']>
  bulkStage: (line: LongLine) => ReturnType<LineElsewhere['bulkStage']>
}

/**
 * Works on long bodies and lines where they do not hold up others; organisations take turns. Rejects where that could not be done,
 * and with the reason of `gone` where the work has not begun by then.
 */
export type LongBodies = Readonly<{
  [Name in keyof LongWork]: (
    request: Parameters<LongWork[Name]>[0],
    gone: AbortSignal,
  ) => ReturnType<LongWork[Name]>
}>
