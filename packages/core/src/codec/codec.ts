import * as t from 'io-ts'
import type { ErrorCode, Limits } from '../catalogue/index.js'
import { type FieldError, Findings, type Location, payloadLocation, plainContext } from './findings.js'

/**
 * The placeholder of a value that could not be read. It replaces the value, so that rules over several fields can distinguish
 * an absent field from an unreadable one. Never part of a successful result.
 */
export const FAILED: unique symbol = Symbol('FAILED')
export type Failed = typeof FAILED

/**
 * The part of a codec that containers need. An io-ts type also encodes, so a codec of a narrower type is not assignable to one
 * of a wider type; a reader is, so that containers can have readers of any type as `Reader<unknown>`.
 */
export interface Reader<A> {
  readonly name: string
  /** The kind of codec, for code that makes documentation or schemas from codecs. */
  readonly _tag: string
  /**
   * Reads the value at the location, and adds its faults to the findings. Returns `FAILED` if the value cannot be used at
   * all. A container that could be read contains `FAILED` in place of content that could not, so the result is an `A` only
   * while the findings are clean.
   */
  read(value: unknown, at: Location, findings: Findings): A | Failed
}

/**
 * An io-ts type that reads a value in one pass and reports all its faults. Values are decoded as sent, never converted, so
 * encoding is the identity.
 *
 * A plain io-ts use applies the built-in settings; the message of a failure is an `ErrorCode`, and the keys of its context are
 * the path. Failures contain no value of the input.
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
 * Adds a rule over one field to its codec: if `holds` returns false, `code` is reported with its severity, and the value still
 * counts as read. `limits` fill the placeholders of the text. A list is validated even if some of its items could not be read;
 * these are `FAILED`.
 */
export const refine = <A>(
  base: Reader<A>,
  code: ErrorCode,
  holds: (value: A) => boolean,
  limits: Limits = {},
): Refined<A> => new Refined(base, code, holds, limits)
