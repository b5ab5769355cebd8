import { optional, required, struct, term } from '../../codec/index.js'
import { pipe, type TaskEither, TE } from '../../fp.js'
import { organisationCode } from '../../payloads/identifiers.js'
import type { Ports } from '../../ports/index.js'
import type { Organisation } from '../../ports/registers.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { OperatorRefusal, UseCaseResult } from '../errors.js'
import { checkInput, orDoesNotExist } from './check-input.js'

/** Organisations, the tenants of the service. */
export type OrganisationUseCases = Readonly<{
  /** Suppliers and API keys belong to an organisation, so this comes first. `code`: at most 32 characters. */
  createOrganisation(
    input: Readonly<{ code: string; name?: string }>,
  ): UseCaseResult<OperatorRefusal, Organisation>
  listOrganisations(): UseCaseResult<never, readonly Organisation[]>
  /** Until it is enabled again, none of its keys and tokens works, within 60 seconds; what is there stays. */
  disableOrganisation(code: string): UseCaseResult<OperatorRefusal, Organisation>
  enableOrganisation(code: string): UseCaseResult<OperatorRefusal, Organisation>
  /** Revokes all its keys for good, and with them every session; tokens stop working within 60 seconds. */
  revokeOrganisation(
    code: string,
  ): UseCaseResult<OperatorRefusal, Readonly<{ code: string; revokedKeys: number }>>
}>

type OrganisationPorts = Pick<Ports, 'organisations' | 'apiKeys' | 'clock' | 'settings'>

type Changed = TaskEither<OperatorRefusal | PortFailure, Organisation>

const input = struct('organisation', { code: required(organisationCode), name: optional(term(255)) })

const existing = ({ organisations }: OrganisationPorts, code: string): Changed =>
  pipe(organisations.find(code), TE.flatMap(orDoesNotExist('organisation', code)))

export const organisationUseCases = (ports: OrganisationPorts): OrganisationUseCases => ({
  createOrganisation: (raw) =>
    pipe(
      checkInput(ports)(input, raw),
      TE.map(({ code, name }): Organisation => ({
        code,
        name: name ?? code,
        createdAt: ports.clock.now(),
        disabledAt: undefined,
      })),
      TE.tap((organisation) =>
        pipe(
          ports.organisations.create(organisation),
          TE.flatMap((outcome): TaskEither<OperatorRefusal, void> =>
            outcome === 'created'
              ? TE.right(undefined)
              : TE.left({ _tag: 'AlreadyExists', subject: 'organisation', name: organisation.code }),
          ),
        ),
      ),
    ),
  listOrganisations: () => ports.organisations.list(),
  disableOrganisation: (code) =>
    pipe(
      ports.organisations.disable(code, ports.clock.now()),
      TE.flatMap(() => existing(ports, code)),
    ),
  enableOrganisation: (code) =>
    pipe(
      ports.organisations.enable(code),
      TE.flatMap(() => existing(ports, code)),
    ),
  // Sessions hang on their keys, and a key that is revoked stays so: there is nothing else to end.
  revokeOrganisation: (code) =>
    pipe(
      existing(ports, code),
      TE.flatMap(() => ports.apiKeys.revokeAll(code, ports.clock.now())),
      TE.map((revokedKeys) => ({ code, revokedKeys })),
    ),
})
