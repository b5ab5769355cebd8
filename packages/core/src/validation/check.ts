import type { ErrorCode, Limits } from '../catalogue/index.js'
import {
  type CheckContext,
  type Codec,
  FAILED,
  type FieldError,
  Findings,
  payloadLocation,
  plainContext,
  resolvePath,
} from '../codec/index.js'
import { isShownKey } from '../codec/struct.js'
import { E, type Either } from '../fp.js'
import { accountPayload, type AccountPayload } from '../payloads/account.js'
import { accountRules } from '../rules/account-rules.js'
import { bundledMarkets } from '../rules/markets/bundled-markets.js'
import type { MarketPack } from '../rules/markets/market-pack.js'
import { type Readable, RuleFindings } from '../rules/rule.js'
import { maxValues, pathOfTooManyValues } from './value-count.js'

/**
 * A finding that depends on more than the payload, such as a supplier that does not exist; it is reported with the others in
 * document order. `asWarning`: a warning, regardless of the severity of its code.
 */
export type ExtraFinding = Readonly<{
  path: readonly (string | number)[]
  code: ErrorCode
  asWarning?: boolean
  /** The values for the placeholders of its text. */
  limits?: Limits
}>

/**
 * Left: at least one error, and all warnings. Right: the value as accepted, with known fields only in table order, numbers and
 * texts as sent; `isWhole`: the value contains all that was sent. Both lists are in document order and have at most 1 001
 * entries.
 */
export type Checked<A> = Either<
  Readonly<{ errors: readonly FieldError[]; warnings: readonly FieldError[] }>,
  Readonly<{ value: A; isWhole: boolean; warnings: readonly FieldError[] }>
>

/** A rule over several fields of a payload that was read. */
export type Rule<A> = (value: Readable<A>, findings: RuleFindings) => void

/** Validates a payload by its codec, and then by rules over several fields. Pure; never throws for a JSON value. */
export const check = <A>(
  codec: Codec<A>,
  payload: unknown,
  context: CheckContext,
  extra: readonly ExtraFinding[] = [],
  rules?: Rule<A>,
): Checked<A> => {
  const findings = new Findings(context)
  const value = codec.read(payload, payloadLocation(), findings)
  const { isWhole } = findings
  if (value !== FAILED) rules?.(value as Readable<A>, new RuleFindings(codec, findings))
  for (const { path, code, asWarning, limits } of extra)
    findings.addPath(resolvePath(codec, path), code, asWarning ? 'warn' : findings.severityOf(code), limits)
  const warnings = findings.warnings()
  return value !== FAILED && findings.isClean
    ? E.right({ value, isWhole, warnings })
    : E.left({ errors: findings.errors(), warnings })
}

/**
 * The only error of a payload with more than `max` values, which is not read: each further step needs a multiple of its memory. `path`
 * leads to its longest list or object, and is shown down to the last key that may be shown.
 */
export const tooManyValues = (path: ExtraFinding['path'], max = maxValues): readonly FieldError[] => {
  const findings = new Findings(plainContext)
  const hidden = path.findIndex((key) => typeof key === 'string' && !isShownKey(key))
  const shown = hidden === -1 ? path : path.slice(0, hidden)
  findings.addPath(resolvePath(accountPayload, shown), 'too_many_values', 'error', { max })
  return findings.errors()
}

/**
 * Validates an account payload by every rule that needs only the payload, the supplier's settings and today; `extra` is added
 * to the findings, except for an account with too many values, whose only error is that. `markets` are those that the settings
 * may name, the bundled ones when absent. Pure; never throws for a JSON value.
 */
export const checkAccountPayload = (
  payload: unknown,
  context: CheckContext,
  extra: readonly ExtraFinding[] = [],
  markets: readonly MarketPack[] = bundledMarkets,
): Checked<AccountPayload> => {
  const path = pathOfTooManyValues(payload)
  return path === undefined
    ? check(accountPayload, payload, context, extra, accountRules(markets))
    : E.left({ errors: tooManyValues(path), warnings: [] })
}
