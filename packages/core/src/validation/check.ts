import type { ErrorCode } from '../catalogue/index.js'
import { plainContext, type CheckContext } from '../codec/check-context.js'
import { FAILED, Findings, payloadLocation, type Codec, type Failed } from '../codec/index.js'
import type { FieldError } from '../codec/field-error.js'
import { isJsonObject, ownField } from '../codec/json-object.js'
import { partOf } from '../codec/quick/part-of.js'
import { readsQuickly } from '../codec/quick/quick-read.js'
import { E, type Either } from '../fp.js'
import type { Readable } from '../rules/readable.js'
import { Report } from '../rules/report.js'
import { acceptorOf } from './acceptors.js'
import { resolvePath } from '../codec/resolve-path.js'

export type { CheckContext } from '../codec/check-context.js'

/**
 * An entry found outside of the payload's own codecs (environment rules); joins the others in document order.
 * `asWarning`: a warning here, whatever its severity.
 */
export type ExtraEntry = Readonly<{
  path: readonly (string | number)[]
  code: ErrorCode
  asWarning?: boolean
}>

/**
 * Left: at least one error, and all warnings. Right: the value as accepted, known fields only in table order,
 * numbers and texts as sent. Both lists are in document order and hold at most 1 001 entries.
 */
export type Checked<A> = Either<
  Readonly<{ errors: readonly FieldError[]; warnings: readonly FieldError[] }>,
  Readonly<{ value: A; warnings: readonly FieldError[] }>
>

/** A rule over several fields of what was read. */
export type Rule<A> = (value: Readable<A>, report: Report) => void

/** What a codec makes of a payload: at once where it surely has nothing to say, else with all that it finds. */
const readPayload = <A>(
  codec: Codec<A>,
  payload: unknown,
  context: CheckContext,
): Readonly<{ value: A | Failed; findings: Findings }> => {
  const silent = new Findings(context)
  // What is read quickly is read as it is.
  if (readsQuickly(partOf(codec), payload, silent, acceptorOf(codec)))
    return { value: payload as A, findings: silent }
  const findings = silent.isEmpty ? silent : new Findings(context)
  return { value: codec.read(payload, payloadLocation(), findings), findings }
}

/** Judges a payload by its codec, and then by rules over several fields: section 2. Pure; never throws for anything that JSON can hold. */
export const check = <A>(
  codec: Codec<A>,
  payload: unknown,
  context: CheckContext,
  extra: readonly ExtraEntry[] = [],
  judge?: Rule<A>,
): Checked<A> => {
  const { value, findings } = readPayload(codec, payload, context)
  if (value !== FAILED) judge?.(value as Readable<A>, new Report(codec, findings))
  for (const { path, code, asWarning } of extra)
    findings.addPath(resolvePath(codec, path), code, asWarning ? 'warn' : findings.severityOf(code))
  const warnings = findings.warnings()
  return value !== FAILED && findings.isClean
    ? E.right({ value, warnings })
    : E.left({ errors: findings.errors(), warnings })
}

/** The own field of an unknown payload if the codec reads it without error, else undefined. */
export const readField = <A>(codec: Codec<A>, payload: unknown, field: string): A | undefined => {
  if (!isJsonObject(payload)) return undefined
  const findings = new Findings(plainContext)
  const value = codec.read(ownField(payload, field), payloadLocation(), findings)
  return value !== FAILED && findings.isClean ? value : undefined
}
