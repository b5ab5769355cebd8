import type { ErrorCode, Limits } from '../catalogue/index.js'
import { type CheckContext, type FieldError, plainContext } from '../codec/findings.js'
import { type Codec, FAILED, Findings, payloadLocation, type Reader } from '../codec/index.js'
import { isJsonObject, ownField, resolvePath } from '../codec/struct.js'
import { E, type Either } from '../fp.js'
import { accountPayload, type AccountPayload } from '../payloads/account.js'
import { accountRules } from '../rules/account-rules.js'
import { bundledMarkets } from '../rules/markets/bundled-markets.js'
import type { MarketPack } from '../rules/markets/market-pack.js'
import { type Readable, RuleFindings } from '../rules/rule.js'

/**
 * An entry found by more than the payload itself, such as a supplier that does not exist; joins the others in document
 * order.
 * `asWarning`: a warning here, whatever its severity.
 */
export type ExtraFinding = Readonly<{
  path: readonly (string | number)[]
  code: ErrorCode
  asWarning?: boolean
  /** The values for the placeholders of its text. */
  limits?: Limits
}>

/**
 * Left: at least one error, and all warnings. Right: the value as accepted, known fields only in table order,
 * numbers and texts as sent; `isWhole`: nothing that was sent had to be left out. Both lists are in document order and hold at most 1 001 entries.
 */
export type Checked<A> = Either<
  Readonly<{ errors: readonly FieldError[]; warnings: readonly FieldError[] }>,
  Readonly<{ value: A; isWhole: boolean; warnings: readonly FieldError[] }>
>

/** A rule over several fields of what was read. */
export type Rule<A> = (value: Readable<A>, findings: RuleFindings) => void

/**
 * Validates a payload by its codec, and then by rules over several fields. Pure; never throws for anything that JSON can
 * hold.
 */
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

/** A field of a payload that was not checked yet, if the codec reads it without error; else undefined. */
export const readField = <A>(codec: Reader<A>, payload: unknown, field: string): A | undefined => {
  if (!isJsonObject(payload)) return undefined
  const findings = new Findings(plainContext)
  const value = codec.read(ownField(payload, field), payloadLocation(), findings)
  return value !== FAILED && findings.isClean ? value : undefined
}

/**
 * Validates an account payload by every rule that needs nothing but the payload, the supplier's settings and the day;
 * `extra` joins their entries. `markets` are those that the settings may name, the bundled ones when absent. Pure;
 * never throws for anything that JSON can hold.
 */
export const checkAccountPayload = (
  payload: unknown,
  context: CheckContext,
  extra: readonly ExtraFinding[] = [],
  markets: readonly MarketPack[] = bundledMarkets,
): Checked<AccountPayload> => check(accountPayload, payload, context, extra, accountRules(markets))
