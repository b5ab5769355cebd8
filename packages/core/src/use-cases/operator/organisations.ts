import { optional, required, struct, term } from '../../codec/index.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import { organisationCode } from '../../payloads/identifiers.js'
import type { Ports } from '../../ports/index.js'
import type { Organisation } from '../../ports/organisations.js'
import type { OperatorRefusal } from '../errors.js'
import type { OperatorUseCases } from '../operator-signatures.js'
import { checkInput } from './check-input.js'

type OrganisationPorts = Pick<Ports, 'organisations' | 'clock' | 'settings'>

const input = struct('organisation', { code: required(organisationCode), name: optional(term(255)) })

export const createOrganisation =
  (ports: OrganisationPorts): OperatorUseCases['createOrganisation'] =>
  (raw) =>
    pipe(
      checkInput(ports)(input, raw),
      TE.map(({ code, name }): Organisation => ({ code, name: name ?? code, createdAt: ports.clock.now() })),
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
