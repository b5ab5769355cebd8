import type { AccountKey, Actor, AuditEntry, AuditEvent, Instant } from '@account-import/core'
import { isAuditEvent, isInstant, unnamedActor } from '@account-import/core/adapter-kit'
import { createHash } from 'node:crypto'

/** The SHA-256 of a text, in hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What an entry in the row of an import says; what it was before is put before it by the statement that changes the row. */
export type RowEntry = Readonly<{
  at: Instant
  what: AuditEvent
  by: Actor | undefined
  subject?: string | undefined
  after?: string | undefined
}>

/**
 * A line of `account_imports.unsealed` is `<version> <hash of the payload> <JSON>`, of the version and payload that the row had
 * before. This is the part that is known before the row is: a statement puts the rest in front (`beforeLine`).
 */
export const endOfLine = ({ at, what, by = unnamedActor, subject, after }: RowEntry): string =>
  ` ${JSON.stringify({ at, what, who: by.who, request: by.requestId, subject, after })}\n`

/** How a line begins in the row of an import that was not there. */
export const beginOfFirstLine = '0 '

/** An expression: the lines of the row, and after them one that ends with the given expression. */
export const withLine = (table: string, end: string): string =>
  `CONCAT(COALESCE(${table}.unsealed, ''), ${table}.staged_version, ' ', COALESCE(${table}.payload_hash, ''), ${end})`

const form = /^(\d+) ([0-9a-f]*) (\{.*\})$/s

type Said = Readonly<{
  at: Instant
  what: unknown
  who: string
  request?: string
  subject?: string
  after?: string
}>

const saidIn = (json: string): Said | undefined => {
  try {
    const said = JSON.parse(json) as Said
    return isInstant(said.at) && isAuditEvent(said.what) ? said : undefined
  } catch {
    return undefined
  }
}

const entryOf = (key: AccountKey, since: Instant, line: string): AuditEntry => {
  const [, version, before, json = ''] = form.exec(line) ?? []
  const said = saidIn(json)
  if (said === undefined)
    return { ...key, at: since, what: 'unreadable', by: unnamedActor, after: sha256(line) }
  const { at, what, who, request, subject, after } = said
  return {
    ...key,
    at,
    what: what === 'staged' && version !== '0' ? 'restaged' : (what as AuditEvent),
    by: { who, requestId: request },
    subject,
    before: before === '' ? undefined : before,
    after,
  }
}

/**
 * The entries that the row of an import carries, in the order in which they were added. `since`: what the row says of when
 * the first was.
 */
export const entriesOfLines = (key: AccountKey, since: Instant, lines: string): readonly AuditEntry[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => entryOf(key, since, line))
