import type { Command } from 'commander'
import { supplierStatuses, type SupplierStatus } from '@account-import/core'
import { oneOf } from '../arguments/one-of.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import { leafCommand } from '../leaf-command.js'
import { operate } from '../operate.js'
import { supplierJson } from '../output/supplier-json.js'

const consequences: Readonly<Record<SupplierStatus, string>> = {
  ongoing: 'accounts may be staged and processed.',
  paused: 'staging and processing are refused; more accounts are expected later.',
  complete: 'staging and processing are refused; no more accounts are expected.',
}

/** `supplier set-status CODE ongoing|paused|complete` */
export const setSupplierStatus = (context: CliContext): Command =>
  leafCommand('set-status', 'Open, pause or complete the migration of a supplier.')
    .argument('<code>', 'import supplier code')
    .argument('<status>', supplierStatuses.join(', '), oneOf(supplierStatuses))
    .action((code: string, status: SupplierStatus, options: JsonOption) =>
      operate(
        context,
        options,
        (operator) => operator.setSupplierStatus({ code, status }),
        (supplier) => ({
          json: supplierJson(supplier),
          message: `Import supplier ${supplier.code} is ${supplier.status}: ${consequences[supplier.status]}`,
        }),
      ),
    )
