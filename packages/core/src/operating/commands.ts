import { type Actor, type AuditEntry, type AuditEvent, noOrganisation } from '../domain/audit-entry.js'
import { E, pipe } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import { hashOf } from '../ports/secrets.js'
import type { OperatorRefusal, UseCaseResult } from '../checking/errors.js'
import { isPages } from '../lists/pages.js'
import { type AccountUseCases, accountUseCases } from './accounts.js'
import { type OrganisationUseCases, organisationUseCases } from './organisations.js'
import {
  type DocumentsChecked,
  missingDocuments,
  type SupplierUseCases,
  supplierUseCases,
} from './suppliers.js'
import { originOf, type WebhookOperatorUseCases, webhookOperatorUseCases } from './webhook-commands.js'

type RecordPorts = Pick<
  Ports,
  'auditTrail' | 'clock' | 'secrets' | 'importSuppliers' | 'organisations' | 'apiKeys' | 'outbox' | 'webhooks'
>

/** Use cases that only read, and no personal data. All others are recorded, also new ones. */
const unrecorded: ReadonlySet<string> = new Set<keyof OperatorUseCases>([
  'listOrganisations',
  'showSupplier',
  'listSuppliers',
  'listReachingOthers',
  'listTeams',
  'listApiKeys',
  'previewErasure',
  'listWebhooks',
])

type Command = (input: unknown) => UseCaseResult<OperatorRefusal, unknown>

const textIn = (input: unknown, name: string): string | undefined => {
  const value =
    typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The command and those texts of its input that are names or codes, which are no secrets. */
const subjectOf = (command: string, input: unknown): string => {
  const named =
    typeof input === 'string'
      ? [input]
      : ['code', 'organisation', 'name', 'status', 'id'].flatMap((name) => textIn(input, name) ?? [])
  // The input may be an address in place of an id, and contain a secret.
  return [command, ...(ofWebhooks.has(command) ? named.map(originOf) : named)].join(' ')
}

type About = Pick<AuditEntry, 'organisation' | 'importSupplier' | 'externalAccountNumber'>

const ofOrganisations: ReadonlySet<string> = new Set<keyof OperatorUseCases>([
  'createOrganisation',
  'disableOrganisation',
  'enableOrganisation',
  'revokeOrganisation',
])
const ofKeys: ReadonlySet<string> = new Set<keyof OperatorUseCases>(['revokeApiKey', 'rotateApiKey'])
const ofEmails: ReadonlySet<string> = new Set<keyof OperatorUseCases>(['retryEmail'])
const ofWebhooks: ReadonlySet<string> = new Set<keyof OperatorUseCases>([
  'testWebhook',
  'rotateWebhook',
  'removeWebhook',
])
/** Commands whose whole input is the code of a supplier. */
const ofSuppliers: ReadonlySet<string> = new Set<keyof OperatorUseCases>(['missingDocuments'])

/**
 * The keys of the audit entry of a command: the supplier that it names with its organisation; the account of the named e-mail;
 * the named organisation; or the organisation of the named key or webhook.
 */
const aboutOf = async (
  { importSuppliers, organisations, apiKeys, outbox, webhooks }: RecordPorts,
  command: string,
  input: unknown,
): PortResult<About> => {
  const named = typeof input === 'string' ? input : (textIn(input, 'code') ?? textIn(input, 'id') ?? '')
  const about = (organisation: string | undefined, importSupplier?: string): About => ({
    organisation: organisation ?? textIn(input, 'organisation') ?? noOrganisation,
    importSupplier,
    externalAccountNumber: textIn(input, 'externalAccountNumber'),
  })
  const own = (found: Readonly<{ organisation: string }> | undefined) => about(found?.organisation)
  if (ofOrganisations.has(command))
    return pipe(
      await organisations.find(named),
      E.map((found) => about(found?.code)),
    )
  if (ofKeys.has(command)) return pipe(await apiKeys.find(named), E.map(own))
  if (ofEmails.has(command))
    return pipe(
      await outbox.find(named),
      E.map((found): About => found?.key ?? about(undefined)),
    )
  if (ofWebhooks.has(command)) return pipe(await webhooks.find(named), E.map(own))
  const code = ofSuppliers.has(command) ? named : (textIn(input, 'importSupplier') ?? textIn(input, 'code'))
  if (code === undefined) return E.right(about(undefined))
  return pipe(
    await importSuppliers.findByCode(code),
    E.map((found) => about(found?.organisation, found?.code)),
  )
}

/** A command, with an audit entry before it begins and one with its outcome. */
export const recorded =
  <R, A>(
    ports: RecordPorts,
    by: Actor,
    name: string,
    command: (input: unknown) => UseCaseResult<R, A>,
  ): ((input?: unknown) => UseCaseResult<R, A>) =>
  async (input) => {
    const about = await aboutOf(ports, name, input)
    if (E.isLeft(about)) return about
    const subject = subjectOf(name, input)
    const record = (what: AuditEvent, after?: string) =>
      ports.auditTrail.record([{ ...about.right, at: ports.clock.now(), what, by, subject, after }])
    const begun = await record('command_begun')
    if (E.isLeft(begun)) return begun
    const outcome = await command(input)
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

/** All use cases of the operator, which the command line calls. They check their input. */
export interface OperatorUseCases
  extends OrganisationUseCases, SupplierUseCases, AccountUseCases, WebhookOperatorUseCases {
  /**
   * Every missing document that staged or created accounts of the supplier name, in the order of external account numbers, in
   * constant memory; the iteration throws the `PortFailure` of a port that fails after the first page.
   */
  readonly missingDocuments: (code: string) => UseCaseResult<OperatorRefusal, AsyncIterable<DocumentsChecked>>
}

const makeOperatorUseCases = (ports: Ports, by: Actor): OperatorUseCases => ({
  ...organisationUseCases(ports),
  ...supplierUseCases(ports),
  ...accountUseCases(ports, by),
  missingDocuments: missingDocuments(ports),
  ...webhookOperatorUseCases(ports),
})

/**
 * The operator's use cases, each recorded with the actor `by`: an audit entry before it begins, without which it does not begin,
 * and one with its outcome and a hash of its result. Every change has an entry, also if the process dies.
 */
export const operatorUseCases = (ports: Ports, by: Actor): OperatorUseCases =>
  Object.fromEntries(
    Object.entries(makeOperatorUseCases(ports, by)).map(([name, command]) => [
      name,
      unrecorded.has(name) ? command : recorded(ports, by, name, command as Command),
    ]),
    // Each has the input and the outcome of the use case that it wraps.
  ) as unknown as OperatorUseCases
