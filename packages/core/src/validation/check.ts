import type { ErrorCode, Limits } from '../catalogue/index.js'
import { type CheckContext, type FieldError, type PathKey, plainContext } from '../codec/findings.js'
import { type Codec, FAILED, Findings, payloadLocation, type Reader } from '../codec/index.js'
import { isJsonObject, ownField, resolvePath } from '../codec/struct.js'
import { E, type Either } from '../fp.js'
import { accountPayload, type AccountPayload } from '../payloads/account.js'
import { accountRules } from '../rules/account-rules.js'
import { bundledMarkets } from '../rules/markets/bundled-markets.js'
import type { MarketPack } from '../rules/markets/market-pack.js'
import { isRead, itemsOf, type Readable, type ReadList, RuleFindings } from '../rules/rule.js'
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

/** A field of an unchecked payload, if the codec reads it without error; else undefined. */
export const readField = <A>(codec: Reader<A>, payload: unknown, field: string): A | undefined => {
  if (!isJsonObject(payload)) return undefined
  const findings = new Findings(plainContext)
  const value = codec.read(ownField(payload, field), payloadLocation(), findings)
  return value !== FAILED && findings.isClean ? value : undefined
}

/** The only error of an account with too many values, which is not read: each further step needs a multiple of its memory. */
const tooManyValues = (path: ExtraFinding['path'], context: CheckContext): Checked<never> => {
  const findings = new Findings(context)
  findings.addPath(resolvePath(accountPayload, path), 'too_many_values', 'error', { max: maxValues })
  return E.left({ errors: findings.errors(), warnings: [] })
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
    : tooManyValues(path, context)
}

/** A document path of a payload, and the keys that lead to its field. */
export type LocatedPath = Readonly<{ at: readonly PathKey[]; path: string }>

/** Reads one list of a payload, even if the rest of the payload is wrong. */
const readList = <A>(payload: unknown, name: string, codec: Reader<readonly A[]>): ReadList<Readable<A>> => {
  if (!isJsonObject(payload)) return FAILED
  const read = codec.read(ownField(payload, name), payloadLocation(), new Findings(plainContext))
  return read as ReadList<Readable<A>>
}

/** The document paths of the payload's statements that can be read; `codec` reads the list of statements. */
export const statementDocumentPaths = (
  payload: unknown,
  codec: Reader<readonly Readonly<{ statement_path?: string | undefined }>[]>,
): readonly LocatedPath[] =>
  itemsOf(readList(payload, 'statements', codec)).flatMap((statement, index) =>
    statement !== FAILED && isRead(statement.statement_path)
      ? [{ at: ['statements', index, 'statement_path'], path: statement.statement_path }]
      : [],
  )

/** The document paths of the payload's notes that can be read. */
export const noteDocumentPaths = (payload: unknown): readonly LocatedPath[] =>
  itemsOf(readList(payload, 'notes', accountPayload.fields.notes.codec)).flatMap((note, index) =>
    note === FAILED
      ? []
      : itemsOf(note.document_paths).flatMap((reference, referenceIndex) =>
          reference !== FAILED && isRead(reference.document_path)
            ? [
                {
                  at: ['notes', index, 'document_paths', referenceIndex, 'document_path'],
                  path: reference.document_path,
                },
              ]
            : [],
        ),
  )

/** Every document path of an account payload that can be read, even if other fields cannot. */
export const accountDocumentPaths = (payload: unknown): readonly LocatedPath[] => [
  ...noteDocumentPaths(payload),
  ...statementDocumentPaths(payload, accountPayload.fields.statements.codec),
]

/**
 * The document paths that a staged payload names, each once. `payload` is its JSON text; throws a `SyntaxError` for any other
 * text.
 */
export const payloadDocumentPaths = (payload: string): readonly string[] => [
  ...new Set(accountDocumentPaths(JSON.parse(payload)).map(({ path }) => path)),
]
