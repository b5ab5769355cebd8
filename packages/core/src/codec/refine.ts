import type { ErrorCode, Limits } from '../catalogue/index.js'
import { Codec } from './codec.js'
import { FAILED, type Failed } from './failed.js'
import type { Findings } from './findings.js'
import type { Location } from './path.js'
import type { Reader } from './reader.js'

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
