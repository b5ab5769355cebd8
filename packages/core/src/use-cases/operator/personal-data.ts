import type { Actor } from '../../domain/audit-entry.js'
import { removedDetails } from '../../domain/removed-details.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { Erased, HeldData } from '../../ports/personal-data.js'
import type { OperatorRefusal } from '../errors.js'
import type { OperatorUseCases } from '../operator-signatures.js'
import { namedKey } from './accounts.js'
import { orDoesNotExist } from './check-input.js'

type PersonalDataPorts = Pick<Ports, 'importSuppliers' | 'personalData' | 'clock' | 'settings'>

const subject = 'account import'

/** Everything that is held of the pair. */
export const exportSubject =
  (ports: PersonalDataPorts): OperatorUseCases['exportSubject'] =>
  (named) =>
    pipe(
      namedKey(ports)(named),
      TE.flatMap((key) => ports.personalData.find(key)),
      TE.flatMap(orDoesNotExist(subject, named.externalAccountNumber)),
    )

const removableOf = ({ payload, account, email, answers }: HeldData): Erased => ({
  removed: {
    payloads: payload === undefined ? 0 : 1,
    ...(account === undefined ? { rows: 0, transactions: 0 } : removedDetails(account.details)),
    emails: email === undefined ? 0 : 1,
    answers: answers.length,
  },
})

/** How much of the pair would be removed. */
export const previewErasure =
  (ports: PersonalDataPorts): OperatorUseCases['previewErasure'] =>
  (named) =>
    pipe(exportSubject(ports)(named), TE.map(removableOf))

/** Removes what tells of a person. */
export const eraseSubject =
  (ports: PersonalDataPorts, by: Actor): OperatorUseCases['eraseSubject'] =>
  (named) =>
    pipe(
      namedKey(ports)(named),
      TE.flatMap((key) => ports.personalData.erase(key, ports.clock.now(), by)),
      TE.flatMap((erasure): TaskEither<OperatorRefusal, Erased> => {
        switch (erasure._tag) {
          case 'erased':
            return TE.right(erasure)
          case 'unknown':
            return TE.left({ _tag: 'DoesNotExist', subject, name: named.externalAccountNumber })
          case 'in_progress':
            return TE.left({ _tag: 'AccountImportInProgress' })
          case 'email_being_sent':
            return TE.left({ _tag: 'EmailIsBeingSent' })
        }
      }),
    )
