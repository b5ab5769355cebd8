import type { ErrorCode } from '../catalogue/index.js'
import { Scalar } from './scalar.js'

class BooleanCodec extends Scalar<boolean> {
  readonly _tag = 'Boolean'
  readonly form = 'true or false, without quotes'

  override codeOf(value: unknown): ErrorCode | undefined {
    if (typeof value === 'boolean') return undefined
    return value === null ? 'null' : 'invalid'
  }
}

/** boolean: `true` or `false`, not text, not 0 or 1. Codes: `null`, `invalid`. */
export const boolean = new BooleanCodec('boolean')
