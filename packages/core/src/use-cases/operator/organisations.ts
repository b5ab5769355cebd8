import { optional, required, struct, term } from '../../codec/index.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import { organisationCode } from '../../payloads/identifiers.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { Organisation } from '../../ports/organisations.js'
import type { OperatorRefusal } from '../errors.js'
import type { OperatorUseCases } from '../operator-signatures.js'
import { checkInput, orDoesNotExist } from './check-input.js'

type OrganisationPorts = Pick<Ports, 'organisations' | 'clock' | 'settings'>

type Changed = TaskEither<OperatorRefusal | PortFailure, Organisation>

const input = struct('organisation', { code: required(organisationCode), name: optional(term(255)) })

export const createOrganisation =
  (ports: OrganisationPorts): OperatorUseCases['createOrganisation'] =>
  (raw) =>
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
    )

export const listOrganisations =
  ({ organisations }: OrganisationPorts): OperatorUseCases['listOrganisations'] =>
  () =>
    organisations.list()

const existing = ({ organisations }: Pick<Ports, 'organisations'>, code: string): Changed =>
  pipe(organisations.find(code), TE.flatMap(orDoesNotExist('organisation', code)))

export const disableOrganisation =
  (ports: OrganisationPorts): OperatorUseCases['disableOrganisation'] =>
  (code) =>
    pipe(
      ports.organisations.disable(code, ports.clock.now()),
      TE.flatMap(() => existing(ports, code)),
    )

export const enableOrganisation =
  (ports: OrganisationPorts): OperatorUseCases['enableOrganisation'] =>
  (code) =>
    pipe(
      ports.organisations.enable(code),
      TE.flatMap(() => existing(ports, code)),
    )

/** Sessions hang on their keys, and a key that is revoked stays so: there is nothing else to end. */
export const revokeOrganisation =
  (ports: OrganisationPorts & Pick<Ports, 'apiKeys'>): OperatorUseCases['revokeOrganisation'] =>
  (code) =>
    pipe(
      existing(ports, code),
      TE.flatMap(() => ports.apiKeys.revokeAll(code, ports.clock.now())),
      TE.map((revokedKeys) => ({ code, revokedKeys })),
    )
