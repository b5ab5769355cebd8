import type { Command } from 'commander'
import { supplierStatuses, type SupplierStatus } from '@account-import/core'
import { oneOf } from '../arguments/one-of.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import { leafCommand } from '../leaf-command.js'
import { operate } from '../operate.js'
import { supplierJson } from '../output/supplier-json.js'

type Options = JsonOption & Readonly<{ organisation: string; status?: SupplierStatus; documentRoot?: string }>

const inputOf = (code: string, { organisation, status, documentRoot }: Options) => ({
  code,
  organisation,
  ...(status === undefined ? {} : { status }),
  ...(documentRoot === undefined ? {} : { documentRoot }),
})

/** `supplier create CODE --organisation CODE [--status S] [--document-root PATH]` */
export const createSupplier = (context: CliContext): Command =>
  leafCommand('create', 'Register an import supplier.')
    .argument('<code>', 'the code that payloads name, such as LEVANTE')
    .requiredOption('--organisation <code>', 'whom it belongs to')
    .option(
      '--status <status>',
      `${supplierStatuses.join(', ')}; ongoing when left out`,
      oneOf(supplierStatuses),
    )
    .option(
      '--document-root <path>',
      'prefix of its document paths inside the bucket; <organisation>/<code> when left out',
    )
    .action((code: string, options: Options) =>
      operate(
        context,
        options,
        (operator) => operator.createSupplier(inputOf(code, options)),
        (made) => ({
          json: supplierJson(made),
          message: `Import supplier ${made.code} was created; its status is ${made.status}.`,
        }),
      ),
    )
