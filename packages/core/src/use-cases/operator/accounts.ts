import { required, struct } from '../../codec/index.js'
import type { Actor } from '../../domain/audit-entry.js'
import type { AccountKey } from '../../domain/account-key.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import { externalAccountNumber, importSupplierCode } from '../../payloads/identifiers.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { OperatorRefusal } from '../errors.js'
import type { OperatorUseCases } from '../operator-signatures.js'
import { checkInput, orDoesNotExist } from './check-input.js'

type NamingPorts = Pick<Ports, 'importSuppliers' | 'clock' | 'settings'>
type AccountPorts = NamingPorts & Pick<Ports, 'accountImports' | 'accounts'>
type Named = Readonly<{ importSupplier: string; externalAccountNumber: string }>

const input = struct('account import', {
  importSupplier: required(importSupplierCode),
  externalAccountNumber: required(externalAccountNumber),
})

/** The pair as the operator names it; the organisation is the supplier's. */
export const namedKey =
  (ports: NamingPorts) =>
  ({
    importSupplier,
    externalAccountNumber: number,
  }: Named): TaskEither<OperatorRefusal | PortFailure, AccountKey> =>
    pipe(
      checkInput(ports)(input, { importSupplier, externalAccountNumber: number }),
      TE.flatMap((named) =>
        pipe(
          ports.importSuppliers.findByCode(named.importSupplier),
          TE.flatMap(orDoesNotExist('import supplier', named.importSupplier)),
          TE.map(({ organisation }) => ({ organisation, ...named })),
        ),
      ),
    )

/** Marks a pair to be skipped, or removes the mark. */
export const setSkipped =
  (ports: AccountPorts, by: Actor): OperatorUseCases['setSkipped'] =>
  ({ skipped, ...named }) =>
    pipe(
      namedKey(ports)(named),
      TE.bindTo('key'),
      TE.bindW('outcome', ({ key }) => ports.accountImports.setSkipped(key, skipped, ports.clock.now(), by)),
      TE.flatMap(({ outcome }): TaskEither<OperatorRefusal | PortFailure, { changed: boolean }> => {
        if (outcome === 'already_imported') return TE.left({ _tag: 'AccountIsImported' })
        if (outcome === 'in_progress') return TE.left({ _tag: 'AccountImportInProgress' })
        return TE.right({ changed: outcome === 'changed' })
      }),
    )

/** The created account as stored. */
export const showAccount =
  (ports: AccountPorts): OperatorUseCases['showAccount'] =>
  (named) =>
    pipe(
      namedKey(ports)(named),
      TE.flatMap((key) => ports.accounts.find(key)),
      TE.flatMap(orDoesNotExist('account', named.externalAccountNumber)),
    )
