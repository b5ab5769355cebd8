import { Command } from 'commander'
import type { CliContext } from '../cli-context.js'
import { configureSupplier } from './supplier-configure.js'
import { createSupplier } from './supplier-create.js'
import { setSupplierStatus } from './supplier-set-status.js'
import { listSuppliers, showSupplier } from './supplier-show.js'

/** `supplier create | set-status | configure | show | list` */
export const supplierCommand = (context: CliContext): Command =>
  new Command('supplier')
    .description('Import suppliers: groups that migrated accounts belong to.')
    .addCommand(createSupplier(context))
    .addCommand(setSupplierStatus(context))
    .addCommand(configureSupplier(context))
    .addCommand(showSupplier(context))
    .addCommand(listSuppliers(context))
