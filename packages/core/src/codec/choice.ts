import type { ErrorCode, Limits } from '../catalogue/index.js'
import { Scalar } from './scalar.js'
import { isBlank } from './scan-text.js'

export class Choice<A extends string> extends Scalar<A> {
  readonly _tag = 'Choice'
  readonly members: readonly A[]
  private readonly known: ReadonlySet<unknown>
  readonly form: string
  private readonly limits: Limits

  constructor(members: readonly A[], allowed: string) {
    super(`choice(${members.length})`)
    this.members = members
    this.known = new Set(members)
    this.limits = { allowed }
    this.form = `a text, one of: ${allowed}`
  }

  override codeOf(value: unknown): ErrorCode | undefined {
    if (this.known.has(value)) return undefined
    if (typeof value !== 'string') return value === null ? 'null' : 'invalid'
    return isBlank(value) ? 'blank' : 'invalid_choice'
  }

  override limitsOf(): Limits {
    return this.limits
  }
}

/**
 * choice: an exact member of a closed list. Codes: `null`, `invalid`, `blank`, `invalid_choice`.
 * `allowed` says in words what the members are, where there are too many to name them all.
 */
export const choice = <A extends string>(members: readonly A[], allowed?: string): Choice<A> =>
  new Choice(members, allowed ?? members.join(', '))
