import * as t from 'io-ts'
import { plainContext } from './check-context.js'
import { FAILED, type Failed } from './failed.js'
import type { FieldError } from './field-error.js'
import { Findings } from './findings.js'
import { type Location, payloadLocation } from './path.js'
import type { Reader } from './reader.js'

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
