import type { Actor } from '../domain/audit-entry.js'
import type { Ports } from '../ports/index.js'
import type { OperatorRefusal, UseCaseResult } from '../checking/errors.js'
import { type About, type Abouts, recorded } from './about.js'
import { accountsAbout, type AccountUseCases, accountUseCases } from './accounts.js'
import { organisationsAbout, type OrganisationUseCases, organisationUseCases } from './organisations.js'
import {
  type DocumentsChecked,
  missingDocuments,
  suppliersAbout,
  type SupplierUseCases,
  supplierUseCases,
} from './suppliers.js'
import { webhooksAbout, type WebhookOperatorUseCases, webhookOperatorUseCases } from './webhook-commands.js'

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

const abouts: Abouts<OperatorUseCases> = {
  ...organisationsAbout,
  ...suppliersAbout,
  ...accountsAbout,
  missingDocuments: (code) => ({ of: ['supplier', code], names: [code] }),
  ...webhooksAbout,
}

/** The operator's use cases, each `recorded` with the actor `by`. Every change has an audit event, also if the process dies. */
export const operatorUseCases = (ports: Ports, by: Actor): OperatorUseCases => {
  type Command = (input: unknown) => UseCaseResult<OperatorRefusal, unknown>
  const commandOf = (name: string, command: Command): Command => {
    const about = abouts[name as keyof OperatorUseCases] as 'reads' | ((input: unknown) => About)
    return about === 'reads'
      ? command
      : (input) => recorded(ports, by, name, about(input ?? {}), () => command(input))
  }
  return Object.fromEntries(
    Object.entries(makeOperatorUseCases(ports, by)).map(([name, command]) => [
      name,
      commandOf(name, command as Command),
    ]),
    // Each has the input and the outcome of the use case that it wraps.
  ) as unknown as OperatorUseCases
}
