import type { ImportSupplier } from '../../domain/import-supplier.js'
import { pipe, type TaskEither, TE } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import { portFailure, type PortFailure } from '../../ports/port-failure.js'
import type { SupplierSettings } from '../../settings/supplier-settings.js'
import { settingsFaults } from '../../validation/settings-faults.js'
import type { OperatorRefusal } from '../errors.js'
import type { OperatorUseCases } from '../operator-signatures.js'
import { orDoesNotExist } from './check-input.js'
import { withRootOfItsOwn } from './document-roots.js'

type Configured = TaskEither<OperatorRefusal | PortFailure, ImportSupplier>

/** A try fails only because another change was saved, so up to this many changes at the same time are all saved. */
const maxTries = 50

/**
 * The settings without the severities that are saved already: these were checked when they were saved, and one for a
 * code of a market that the service no longer has must not stand in the way of other changes.
 */
const newIn = (settings: SupplierSettings, saved: SupplierSettings): SupplierSettings => ({
  ...settings,
  severities: Object.fromEntries(
    Object.entries(settings.severities).filter(([code, severity]) => saved.severities[code] !== severity),
  ),
})

const gaveUp = portFailure(
  'unavailable',
  'importSuppliers',
  'saveSettings',
  new Error(`The settings changed ${maxTries} times while they were being changed`),
)

type ConfigurePorts = Pick<Ports, 'importSuppliers' | 'settings'>

/** A root is compared with those of others where it changes: one from before that was done must not stop other changes. */
const checked = (
  ports: ConfigurePorts,
  supplier: ImportSupplier,
  settings: SupplierSettings,
): TaskEither<OperatorRefusal | PortFailure, SupplierSettings> => {
  const errors = settingsFaults(newIn(settings, supplier.settings), ports.settings.markets)
  if (errors.length > 0) return TE.left({ _tag: 'InputNotValid', errors })
  if (settings.documentRoot === supplier.settings.documentRoot) return TE.right(settings)
  return pipe(
    withRootOfItsOwn(ports)({ ...supplier, settings }),
    TE.map(() => settings),
  )
}

/**
 * Changes a supplier's settings: they are checked whole before they are saved, and hold from the next request. When
 * somebody else changed them in the meantime, the change is made again from what they are now, so none is lost.
 */
export const configureSupplier =
  (ports: ConfigurePorts): OperatorUseCases['configureSupplier'] =>
  ({ code, change }) => {
    const { importSuppliers } = ports
    const attempt = (triesLeft: number): Configured =>
      pipe(
        importSuppliers.findByCode(code),
        TE.flatMap(orDoesNotExist('import supplier', code)),
        TE.bindTo('supplier'),
        TE.bindW('settings', ({ supplier }) => checked(ports, supplier, change(supplier.settings))),
        TE.bindW('saved', ({ supplier, settings }) =>
          importSuppliers.saveSettings(code, supplier.settings, settings),
        ),
        TE.flatMap(({ supplier, settings, saved }): Configured => {
          if (saved === 'saved') return TE.right({ ...supplier, settings })
          return triesLeft > 1 ? attempt(triesLeft - 1) : TE.left(gaveUp)
        }),
      )
    return attempt(maxTries)
  }
