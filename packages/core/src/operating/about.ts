import { type Actor, type AuditEntry, type AuditEvent, noOrganisation } from '../domain/audit-entry.js'
import { E } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import { hashOf } from '../ports/secrets.js'
import type { UseCaseResult } from '../checking/errors.js'
import { isPages } from '../lists/pages.js'

type RecordPorts = Pick<
  Ports,
  'auditTrail' | 'clock' | 'secrets' | 'importSuppliers' | 'organisations' | 'apiKeys' | 'outbox' | 'webhooks'
>

type Keys = Partial<Pick<AuditEntry, 'organisation' | 'importSupplier' | 'externalAccountNumber'>>

/** The keys of audit events about the owner of each kind and name; a Right of undefined where there is none. */
const keysOf = {
  supplier: async ({ importSuppliers }, name) =>
    E.map(
      (found?: Readonly<{ organisation: string; code: string }>): Keys | undefined =>
        found && { organisation: found.organisation, importSupplier: found.code },
    )(await importSuppliers.findByCode(name)),
  organisation: async ({ organisations }, name) =>
    E.map((found?: Readonly<{ code: string }>): Keys | undefined => found && { organisation: found.code })(
      await organisations.find(name),
    ),
  key: async ({ apiKeys }, name) => E.map(organisationOf)(await apiKeys.find(name)),
  webhook: async ({ webhooks }, name) => E.map(organisationOf)(await webhooks.find(name)),
  email: async ({ outbox }, name) =>
    E.map((found?: Readonly<{ key: Keys }>) => found?.key)(await outbox.find(name)),
} satisfies Readonly<Record<string, (ports: RecordPorts, name: string) => PortResult<Keys | undefined>>>

const organisationOf = (found?: Readonly<{ organisation: string }>): Keys | undefined =>
  found && { organisation: found.organisation }

/** The subject of a command for the audit log, read from its input, which is not checked yet. */
export type About = Readonly<{
  /** The names and codes of the input that audit events show; none is a secret. */
  names?: readonly unknown[]
  /** The kind and name of the subject; its organisation, and of a supplier or e-mail more, are keys of the events. */
  of?: readonly [kind: keyof typeof keysOf, name: unknown]
  /** The organisation in the events, if none is found. */
  organisation?: unknown
  externalAccountNumber?: unknown
}>

/** The subject of each command of `Commands`. `reads`: nothing is recorded, as it only reads, and no personal data. */
export type Abouts<Commands> = Readonly<{
  [Name in keyof Commands]:
    | 'reads'
    | (Commands[Name] extends (input: infer Input) => unknown ? (input: Input) => About : never)
}>

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const entryOf = async (ports: RecordPorts, name: string, about: About) => {
  const [kind, owner] = about.of ?? []
  const known = textOf(owner)
  const keys =
    kind === undefined || known === undefined ? E.right(undefined) : await keysOf[kind](ports, known)
  return E.map((found: Keys | undefined) => ({
    organisation: textOf(about.organisation) ?? noOrganisation,
    importSupplier: undefined,
    externalAccountNumber: textOf(about.externalAccountNumber),
    ...found,
    subject: [name, ...(about.names ?? []).flatMap((text) => textOf(text) ?? [])].join(' '),
  }))(keys)
}

/**
 * Does the work of a command with an audit event before it begins, without which it does not begin, and one with its outcome and a
 * hash of its result.
 */
export const recorded = async <R, A>(
  ports: RecordPorts,
  by: Actor,
  name: string,
  about: About,
  work: () => UseCaseResult<R, A>,
): UseCaseResult<R, A> => {
  const entry = await entryOf(ports, name, about)
  if (E.isLeft(entry)) return entry
  const record = (what: AuditEvent, after?: string) =>
    ports.auditTrail.record([{ ...entry.right, at: ports.clock.now(), what, by, after }])
  const begun = await record('command_begun')
  if (E.isLeft(begun)) return begun
  const outcome = await work()
  if (E.isLeft(outcome)) {
    const refused = await record('command_refused')
    return E.isLeft(refused) ? refused : outcome
  }
  // Pages have no hash: they are not read yet.
  const after = isPages(outcome.right)
    ? E.right(undefined)
    : await hashOf(ports, JSON.stringify(outcome.right))
  // The command is done. If this entry fails, the outcome is returned nevertheless, as it may be the only text of a new key;
  // the entry of the beginning then has no end.
  await record('command_done', E.isRight(after) ? after.right : undefined)
  return outcome
}
