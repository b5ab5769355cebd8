import { choice, documentPath, optional, required, struct } from '../../codec/index.js'
import { defaultDocumentRoot } from '../../domain/document-roots.js'
import { supplierStatuses, type ImportSupplier } from '../../domain/import-supplier.js'
import { initialSettings } from '../../validation/initial-settings.js'
import { settingsFaults } from '../../validation/settings-faults.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import { importSupplierCode, organisationCode } from '../../payloads/identifiers.js'
import type { Ports } from '../../ports/index.js'
import type { OperatorRefusal } from '../errors.js'
import type { OperatorUseCases } from '../operator-signatures.js'
import { checkInput, orDoesNotExist } from './check-input.js'
import { withRootOfItsOwn } from './document-roots.js'

type SupplierPorts = Pick<Ports, 'importSuppliers' | 'clock' | 'settings'>

const input = struct('import supplier', {
  code: required(importSupplierCode),
  organisation: required(organisationCode),
  status: optional(choice(supplierStatuses)),
  documentRoot: optional(documentPath),
})

const register =
  ({ importSuppliers }: SupplierPorts) =>
  (supplier: ImportSupplier) =>
    pipe(
      importSuppliers.create(supplier),
      TE.flatMap((outcome): TaskEither<OperatorRefusal, void> => {
        if (outcome === 'created') return TE.right(undefined)
        return TE.left(
          outcome === 'code_taken'
            ? { _tag: 'AlreadyExists', subject: 'import supplier', name: supplier.code }
            : { _tag: 'DoesNotExist', subject: 'organisation', name: supplier.organisation },
        )
      }),
    )

/** Codes may hold what paths may not: then a root has to be given. */
const withUsableRoot =
  ({ settings: { markets } }: SupplierPorts) =>
  (supplier: ImportSupplier): TaskEither<OperatorRefusal, ImportSupplier> => {
    const errors = settingsFaults(supplier.settings, markets)
    return errors.length === 0 ? TE.right(supplier) : TE.left({ _tag: 'InputNotValid', errors })
  }

export const createSupplier =
  (ports: SupplierPorts): OperatorUseCases['createSupplier'] =>
  (raw) =>
    pipe(
      checkInput(ports)(input, raw),
      TE.map(({ code, organisation, status, documentRoot }): ImportSupplier => ({
        organisation,
        code,
        status: status ?? 'ongoing',
        settings: {
          ...initialSettings(ports.settings.markets),
          documentRoot: documentRoot ?? defaultDocumentRoot({ organisation, code }),
        },
      })),
      TE.flatMap(withUsableRoot(ports)),
      TE.flatMap(withRootOfItsOwn(ports)),
      TE.tap(register(ports)),
    )

export const showSupplier =
  ({ importSuppliers }: Pick<Ports, 'importSuppliers'>): OperatorUseCases['showSupplier'] =>
  (code) =>
    pipe(importSuppliers.findByCode(code), TE.flatMap(orDoesNotExist('import supplier', code)))

export const setSupplierStatus =
  (ports: SupplierPorts): OperatorUseCases['setSupplierStatus'] =>
  ({ code, status }) =>
    pipe(
      checkInput(ports)(struct('status', { status: required(choice(supplierStatuses)) }), { status }),
      TE.flatMap((checked) => ports.importSuppliers.setStatus(code, checked.status)),
      TE.flatMap(() => showSupplier(ports)(code)),
    )

export const listSuppliers =
  ({ importSuppliers }: Pick<Ports, 'importSuppliers'>): OperatorUseCases['listSuppliers'] =>
  () =>
    importSuppliers.list()
