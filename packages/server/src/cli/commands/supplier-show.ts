import type { Command } from 'commander'
import { pipe, TE } from '@account-import/core/adapter-kit'
import { reachingText } from '../../service/document-roots.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import { leafCommand } from '../leaf-command.js'
import { operate } from '../operate.js'
import { supplierJson } from '../output/supplier-json.js'
import { supplierText } from '../output/supplier-text.js'
import { listed } from '../output/table.js'
import { typed } from '../../program-name.js'

/** `supplier show CODE` */
export const showSupplier = (context: CliContext): Command =>
  leafCommand('show', 'Show a supplier with all its settings.')
    .argument('<code>', 'import supplier code')
    .action((code: string, options: JsonOption) =>
      operate(
        context,
        options,
        (operator) => operator.showSupplier(code),
        (supplier) => ({ json: supplierJson(supplier), result: supplierText(supplier) }),
      ),
    )

/** `supplier list` */
export const listSuppliers = (context: CliContext): Command =>
  leafCommand('list', 'Show all suppliers.').action((options: JsonOption) =>
    operate(
      context,
      options,
      ({ listSuppliers: listAll, listReachingOthers }) =>
        pipe(TE.Do, TE.bind('all', listAll), TE.bind('reaching', listReachingOthers)),
      ({ all, reaching }) => ({
        json: all.map(supplierJson),
        ...listed(
          ['CODE', 'ORGANISATION', 'STATUS', 'DOCUMENT ROOT'],
          all.map(({ code, organisation, status, settings }) => [
            code,
            organisation,
            status,
            settings.documentRoot === '' ? '(the bucket itself)' : settings.documentRoot,
          ]),
          `There is no supplier yet. Make one with: ${typed('supplier create CODE --organisation CODE')}`,
        ),
        notices: reaching.map((supplier) => `Warning: ${reachingText(supplier)}`),
      }),
    ),
  )
