import type { ErrorCode, Limits } from '../catalogue/index.js'
import { type FieldError, Findings, type Location, payloadLocation, plainContext } from './findings.js'

/**
 * Stands for a value that could not be read. It is left where the value was, so that rules over several fields
 * can tell a field that is absent from one that is unreadable. Never part of a successful result.
 */
export const FAILED: unique symbol = Symbol('FAILED')
export type Failed = typeof FAILED

/**
 * The part of a codec that containers need. An io-ts type also encodes, so a codec of a narrower type cannot stand
 * for one of a wider type; a reader can, so that containers hold readers of anything as `Reader<unknown>`.
 */
export interface Reader<A> {
  readonly name: string
  /** The kind of codec, for code that makes documentation or schemas from codecs. */
  readonly _tag: string
  /**
   * Reads the value that the location points to, and adds what is wrong to the findings. Returns `FAILED` if the
   * value cannot be used at all. A container that could be read holds `FAILED` wherever content of it could not, so
   * the result is an `A` only while the findings are clean.
   */
  read(value: unknown, at: Location, findings: Findings): A | Failed
}

import * as t from 'io-ts'

/**
 * An io-ts type that reads a value in one pass and reports everything that is wrong with it. Values are decoded as
 * sent, never converted, so encoding is the identity.
 *
 * Used as a plain io-ts type it knows no supplier's settings; the message of a failure is an `ErrorCode`, and the
 * keys of its context are the path. Failures hold no value of the input.
 */
export abstract class Codec<A> extends t.Type<A, A, unknown> implements Reader<A> {
  constructor(name: string) {
    super(
      name,
      (value): value is A => this.readPlainly(value).findings.isClean,
      (value, context) => this.validatePlainly(value, context),
      t.identity,
    )
  }

  abstract readonly _tag: string

  /** See `Reader`. */
  abstract read(value: unknown, at: Location, findings: Findings): A | Failed

  private readPlainly(value: unknown): { read: A | Failed; findings: Findings } {
    const findings = new Findings(plainContext)
    return { read: this.read(value, payloadLocation(), findings), findings }
  }

  private validatePlainly(value: unknown, context: t.Context): t.Validation<A> {
    const { read, findings } = this.readPlainly(value)
    if (read !== FAILED && findings.isClean) return t.success(read)
    return t.failures(findings.errors().map((error) => this.failureOf(error, context)))
  }

  private failureOf({ attr, code }: FieldError, context: t.Context): t.ValidationError {
    const keys = attr === '' ? [] : attr.split('.')
    return {
      value: undefined,
      context: [...context, ...keys.map((key) => ({ key, type: this }))],
      message: code,
    }
  }
}

export class Refined<A> extends Codec<A> {
  readonly _tag = 'Refined'
  readonly base: Reader<A>
  readonly code: ErrorCode
  readonly holds: (value: A) => boolean
  private readonly limits: Limits

  constructor(base: Reader<A>, code: ErrorCode, holds: (value: A) => boolean, limits: Limits) {
    super(base.name)
    this.base = base
    this.code = code
    this.holds = holds
    this.limits = limits
  }

  override read(value: unknown, at: Location, findings: Findings): A | Failed {
    const read = this.base.read(value, at, findings)
    if (read !== FAILED && !this.holds(read)) findings.add(at, this.code, this.limits)
    return read
  }
}

/**
 * Adds a rule over one field to its codec: where it does not hold, `code` is reported with its severity. The value
 * counts as read all the same. `limits` fill the placeholders of the text. A list is validated even if some of its items could not be read; these are `FAILED`.
 */
export const refine = <A>(
  base: Reader<A>,
  code: ErrorCode,
  holds: (value: A) => boolean,
  limits: Limits = {},
): Refined<A> => new Refined(base, code, holds, limits)
